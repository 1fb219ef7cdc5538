/**
 * Nothing of the message was sent, because the transport is stopping or has no connection for it. The message waits as
 * if it had never been handed over.
 */
export class NotAttemptedError extends Error {
  constructor() {
    super('Nothing was sent');
    this.name = 'NotAttemptedError';
  }
}
