import { createHash } from 'node:crypto';

/**
 * The ids of the trace and spans of an email are derived from the id of the email, so that all processes add spans to the same
 * trace without storing or passing ids.
 */
export function traceIdOf(emailId: string): string {
  return emailId.replaceAll('-', '');
}

/** The span of the acceptance, which contains all others. Because of the variant bits of the UUID, it is never zero. */
export function acceptanceSpanId(emailId: string): string {
  return traceIdOf(emailId).slice(16);
}

export function recipientSpanId(emailId: string, recipientNo: number): string {
  return createHash('sha256').update(`${emailId} ${recipientNo}`).digest('hex').slice(0, 16);
}
