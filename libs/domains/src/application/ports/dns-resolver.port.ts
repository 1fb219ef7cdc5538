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

/** A TLSA record: what the certificate of a server must match (RFC 6698 section 2). */
export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  readonly data: Uint8Array;
}

/** The type of the records of each DNS record type. */
export interface DnsRecords {
  /** Each record with its strings joined, as SPF, DKIM and DMARC read them. */
  readonly txt: string;
  readonly mx: MxRecord;
  readonly a: string;
  readonly aaaa: string;
  /** The direct alias target, not the end of the chain. */
  readonly cname: string;
  readonly ns: string;
  readonly caa: CaaRecord;
  /** Looked up by IP address. */
  readonly ptr: string;
  readonly tlsa: TlsaRecord;
}

export type DnsRecordType = keyof DnsRecords;

export interface DnsAnswer<Record> {
  readonly records: readonly Record[];
  /** Seconds for which the answer may be cached, also if there are no records (RFC 2308). */
  readonly ttl: number;
  /** The resolver has validated the answer with DNSSEC (the AD bit of RFC 4035), also if there are no records. */
  readonly isAuthenticated: boolean;
  /** The name at the end of the chain of aliases; the requested name if there are none. */
  readonly canonicalName: string;
}

/**
 * The DNS gave no usable answer: SERVFAIL, a timeout, a refused or malformed answer. It must never be treated as "no
 * such record".
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
 * Asks the DNS on every call, without a cache.
 *
 * Returns no records if the name or the record type does not exist (NXDOMAIN, NODATA). Throws DnsUnavailableError
 * if there is no usable answer, a loop of aliases included. Names are absolute, without a trailing dot, in upper or
 * lower case; names in answers are lower-case and without a trailing dot. CNAMEs are followed. Each look-up ends within
 * a deadline.
 */
export abstract class DnsResolver {
  abstract ask<Type extends DnsRecordType>(type: Type, name: string): Promise<DnsAnswer<DnsRecords[Type]>>;

  txt(name: string): Promise<readonly string[]> {
    return this.recordsOf('txt', name);
  }

  mx(name: string): Promise<readonly MxRecord[]> {
    return this.recordsOf('mx', name);
  }

  a(name: string): Promise<readonly string[]> {
    return this.recordsOf('a', name);
  }

  aaaa(name: string): Promise<readonly string[]> {
    return this.recordsOf('aaaa', name);
  }

  cname(name: string): Promise<readonly string[]> {
    return this.recordsOf('cname', name);
  }

  ns(name: string): Promise<readonly string[]> {
    return this.recordsOf('ns', name);
  }

  caa(name: string): Promise<readonly CaaRecord[]> {
    return this.recordsOf('caa', name);
  }

  ptr(address: string): Promise<readonly string[]> {
    return this.recordsOf('ptr', address);
  }

  private async recordsOf<Type extends DnsRecordType>(type: Type, name: string): Promise<readonly DnsRecords[Type][]> {
    return (await this.ask(type, name)).records;
  }
}
