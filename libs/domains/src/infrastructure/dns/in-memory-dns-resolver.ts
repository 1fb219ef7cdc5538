import {
  CaaRecord,
  DnsAnswer,
  DnsRecords,
  DnsRecordType,
  DnsResolver,
  DnsUnavailableError,
  MxRecord,
  TlsaRecord,
} from '../../application/ports/dns-resolver.port.js';

export interface ZoneRecords {
  readonly txt?: readonly string[];
  readonly mx?: readonly MxRecord[];
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  readonly ns?: readonly string[];
  readonly caa?: readonly CaaRecord[];
  readonly ptr?: readonly string[];
  readonly tlsa?: readonly TlsaRecord[];
  /** TTL of all records of the name, in seconds. Default 300. */
  readonly ttl?: number;
  /** True as if the zone were signed and the resolver had validated the answer. */
  readonly isAuthenticated?: boolean;
}

const maxAliasChainLength = 8;
const defaultTtl = 300;

/** Answers from zones in memory, for tests and for programs that bring their own DNS data. */
export class InMemoryDnsResolver extends DnsResolver {
  private readonly names = new Map<string, ZoneRecords | 'unavailable'>();

  /** Replaces the records of a name. */
  set(name: string, records: ZoneRecords): void {
    this.names.set(name.toLowerCase(), records);
  }

  remove(name: string): void {
    this.names.delete(name.toLowerCase());
  }

  /** Makes every later look-up of the name fail, as with SERVFAIL. */
  fail(name: string): void {
    this.names.set(name.toLowerCase(), 'unavailable');
  }

  async ask<Type extends DnsRecordType>(type: Type, name: string): Promise<DnsAnswer<DnsRecords[Type]>> {
    const chain = this.chainFrom(name.toLowerCase(), type === 'cname' || type === 'ptr');
    const last = chain[chain.length - 1] as Link;
    return {
      records: recordsOf(type, last.records) as readonly DnsRecords[Type][],
      ttl: Math.min(...chain.map(({ records }) => records.ttl ?? defaultTtl)),
      isAuthenticated: chain.every(({ records }) => records.isAuthenticated === true),
      canonicalName: last.name,
    };
  }

  private chainFrom(start: string, keepsAlias: boolean): Link[] {
    const chain: Link[] = [{ name: start, records: this.lookUp(start) }];
    for (let next = chain[0]?.records.cname; next !== undefined && !keepsAlias; next = chain.at(-1)?.records.cname) {
      if (chain.length > maxAliasChainLength) throw new DnsUnavailableError(start, 'the chain of aliases is too long');
      const name = hostName(next);
      chain.push({ name, records: this.lookUp(name) });
    }
    return chain;
  }

  private lookUp(name: string): ZoneRecords {
    const records = this.names.get(name) ?? {};
    if (records === 'unavailable') throw new DnsUnavailableError(name, 'SERVFAIL');
    return records;
  }
}

interface Link {
  readonly name: string;
  readonly records: ZoneRecords;
}

function recordsOf(type: DnsRecordType, records: ZoneRecords): readonly DnsRecords[DnsRecordType][] {
  switch (type) {
    case 'cname':
      return records.cname === undefined ? [] : [hostName(records.cname)];
    case 'mx':
      return (records.mx ?? []).map(({ exchange, preference }) => ({ exchange: hostName(exchange), preference }));
    case 'ns':
    case 'ptr':
      return (records[type] ?? []).map(hostName);
    default:
      return records[type] ?? [];
  }
}

function hostName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
