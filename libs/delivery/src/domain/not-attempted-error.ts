/**
 * Nothing of the message was sent, for the transport stops or has no connection to give it: it waits as if it had never
 * been handed over.
 */
export class NotAttemptedError extends Error {
  constructor() {
    super('Nothing was sent');
    this.name = 'NotAttemptedError';
  }
}
