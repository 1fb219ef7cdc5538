import { createHash } from 'node:crypto';

/**
 * An email's trace and its spans have ids that follow from the email's own: whichever process sees a part of its way
 * puts it into the same trace, and nothing needs to be stored or passed on for that.
 */
export function traceIdOf(emailId: string): string {
  return emailId.replaceAll('-', '');
}

/** The span of the acceptance, in which all others lie. The variant bits of the UUID keep it from being zero. */
export function acceptanceSpanId(emailId: string): string {
  return traceIdOf(emailId).slice(16);
}

export function recipientSpanId(emailId: string, recipientNo: number): string {
  return createHash('sha256').update(`${emailId} ${recipientNo}`).digest('hex').slice(0, 16);
}
