import { CaaRecord, DnsResolver, DnsUnavailableError, MxRecord } from '../../application/ports/dns-resolver.port.js';

export interface ZoneRecords {
  readonly txt?: readonly string[];
  readonly mx?: readonly MxRecord[];
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  readonly ns?: readonly string[];
  readonly caa?: readonly CaaRecord[];
  readonly ptr?: readonly string[];
}

const longestAliasChain = 8;

/** Zones kept in memory, for tests and for programs that bring their own answers. */
export class InMemoryDnsResolver extends DnsResolver {
  private readonly names = new Map<string, ZoneRecords | 'unavailable'>();

  /** Replaces what a name has. */
  set(name: string, records: ZoneRecords): void {
    this.names.set(name.toLowerCase(), records);
  }

  remove(name: string): void {
    this.names.delete(name.toLowerCase());
  }

  /** From now on every look-up of the name fails, as with SERVFAIL. */
  fail(name: string): void {
    this.names.set(name.toLowerCase(), 'unavailable');
  }

  async txt(name: string): Promise<readonly string[]> {
    return this.resolve(name).txt ?? [];
  }

  async mx(name: string): Promise<readonly MxRecord[]> {
    return (this.resolve(name).mx ?? []).map(({ exchange, preference }) => ({
      exchange: hostName(exchange),
      preference,
    }));
  }

  async a(name: string): Promise<readonly string[]> {
    return this.resolve(name).a ?? [];
  }

  async aaaa(name: string): Promise<readonly string[]> {
    return this.resolve(name).aaaa ?? [];
  }

  async cname(name: string): Promise<readonly string[]> {
    const target = this.lookUp(name).cname;
    return target === undefined ? [] : [hostName(target)];
  }

  async ns(name: string): Promise<readonly string[]> {
    return (this.resolve(name).ns ?? []).map(hostName);
  }

  async caa(name: string): Promise<readonly CaaRecord[]> {
    return this.resolve(name).caa ?? [];
  }

  async ptr(address: string): Promise<readonly string[]> {
    return (this.lookUp(address).ptr ?? []).map(hostName);
  }

  private resolve(name: string): ZoneRecords {
    let records = this.lookUp(name);
    for (let hops = 0; records.cname !== undefined; hops++) {
      if (hops === longestAliasChain) throw new DnsUnavailableError(name, 'the chain of aliases is too long');
      records = this.lookUp(hostName(records.cname));
    }
    return records;
  }

  private lookUp(name: string): ZoneRecords {
    const records = this.names.get(name.toLowerCase()) ?? {};
    if (records === 'unavailable') throw new DnsUnavailableError(name, 'SERVFAIL');
    return records;
  }
}

function hostName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
