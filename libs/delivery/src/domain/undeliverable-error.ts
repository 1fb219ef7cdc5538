/** The email can never be sent, and the reason is on our side. Retrying would only delay the report of it. */
export class UndeliverableError extends Error {
  constructor(
    /** For `email.failed` (docs/wire-contract.md section 22.4). */
    readonly failure: string,
    message: string,
  ) {
    super(message);
    this.name = 'UndeliverableError';
  }
}
