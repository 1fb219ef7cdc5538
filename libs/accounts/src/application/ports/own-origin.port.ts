/** The origin at which people reach this service. */
export abstract class OwnOrigin {
  /** Scheme, host and port. Links in mail start with it, never with the `Host` of a request. */
  abstract readonly value: string;

  /** Whether a page with this origin is a page of this service. `host` is the one that the request was sent to. */
  abstract isOwn(origin: string, host: string | undefined): boolean;
}
