/**
 * The trace of an email has ids that follow from the email's own id: every process adds its spans to the same trace, and
 * nothing needs to be stored or passed on for that.
 */
export function traceIdOf(emailId: string): string {
  return emailId.replaceAll('-', '');
}

/** The span of the acceptance, in which all others lie. The variant bits of the UUID keep it from being zero. */
export function acceptanceSpanId(emailId: string): string {
  return traceIdOf(emailId).slice(16);
}
