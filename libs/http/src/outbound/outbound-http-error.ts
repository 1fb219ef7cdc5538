/** Why a request to a remote server failed. The message may be shown to the customer. */
export class OutboundHttpError extends Error {
  constructor(
    readonly reason:
      'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects' | 'invalid' | 'withdrawn',
    message: string,
  ) {
    super(message);
    this.name = 'OutboundHttpError';
  }
}
