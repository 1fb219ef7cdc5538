import { RenewalWindow } from '../../domain/host-certificate.js';

export interface OrderToComplete {
  readonly url: string;
  readonly host: string;
  /** Private key in PEM, the same at each call for this order. */
  readonly key: string;
  /** Resolves when the response to the challenge can be asked for. */
  readonly present: (token: string, answer: string) => Promise<void>;
  /** Ends the work; it can be continued with the same order. */
  readonly stopping: AbortSignal;
}

/** A certificate authority (RFC 8555). All methods throw `AuthorityRefusal` for what the authority refuses. */
export abstract class CertificateAuthority {
  /** Whether its directory can be read now. */
  abstract isReachable(): Promise<boolean>;

  /** The window of a certificate (PEM); undefined if the authority has none. */
  abstract renewalWindow(chain: string): Promise<RenewalWindow | undefined>;

  /** Revokes a certificate (PEM) whose key others may have. Does nothing if it is revoked. */
  abstract revoke(host: string, chain: string): Promise<void>;

  /** Orders a certificate. Returns the URL of the order. `replaced`: the chain that it renews. */
  abstract order(host: string, replaced?: string): Promise<string>;

  /** Proves the host, and returns the chain in PEM. May be called again for an order at any stage. */
  abstract complete(order: OrderToComplete): Promise<string>;
}
