/** The email can never be sent, and nobody else is to blame: trying again would only put off saying so. */
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
