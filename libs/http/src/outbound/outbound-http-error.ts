/** Why a request to a remote server failed. The message may be shown to the customer, the cause may not. */
export class OutboundHttpError extends Error {
  constructor(
    readonly reason:
      'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects' | 'invalid' | 'withdrawn',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundHttpError';
  }
}
