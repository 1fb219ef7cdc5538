/** The transport stops, and nothing of the message was sent: it waits as if it had never been handed over. */
export class NotAttemptedError extends Error {
  constructor() {
    super('The transport stops; nothing was sent');
    this.name = 'NotAttemptedError';
  }
}
