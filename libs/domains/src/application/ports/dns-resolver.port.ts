export interface MxRecord {
  /** Host name; empty for a null MX (RFC 7505). */
  readonly exchange: string;
  readonly preference: number;
}

/** One property of a CAA record (RFC 8659 section 4). */
export interface CaaRecord {
  /** `issue`, `issuewild`, `iodef`. */
  readonly tag: string;
  readonly value: string;
}

/**
 * The DNS did not answer: SERVFAIL, a timeout, a refused or broken answer. Never to be read as "no such record".
 */
export class DnsUnavailableError extends Error {
  constructor(
    name: string,
    readonly reason: string,
  ) {
    super(`The DNS gave no answer for ${name}: ${reason}`);
    this.name = 'DnsUnavailableError';
  }
}

/**
 * Asks the DNS. Every method answers with an empty list where the name or the record type does not exist (NXDOMAIN,
 * NODATA), and throws DnsUnavailableError where nobody knows. Names are absolute, without a trailing dot, in any case;
 * answers come lower-case and without a trailing dot. CNAMEs are followed. Each look-up ends within a deadline.
 */
export abstract class DnsResolver {
  /** Each record with its strings joined, as SPF, DKIM and DMARC read them. */
  abstract txt(name: string): Promise<readonly string[]>;
  abstract mx(name: string): Promise<readonly MxRecord[]>;
  abstract a(name: string): Promise<readonly string[]>;
  abstract aaaa(name: string): Promise<readonly string[]>;
  /** The direct alias target, not the end of the chain. */
  abstract cname(name: string): Promise<readonly string[]>;
  abstract ns(name: string): Promise<readonly string[]>;
  abstract caa(name: string): Promise<readonly CaaRecord[]>;
  abstract ptr(address: string): Promise<readonly string[]>;
}
