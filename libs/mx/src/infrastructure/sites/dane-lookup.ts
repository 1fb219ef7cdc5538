import { usableRecords } from './dane.js';
import type { DaneRequirement } from './dane.js';
import type { DnsCache } from './dns-cache.js';

/** A host's addresses, as far as DANE depends on them. */
export interface SecureHost {
  readonly name: string;
  /** Where the aliases of its name end, where DNSSEC vouches for the chain. */
  readonly canonicalName: string;
}

export interface DaneAnswer {
  readonly requirement: DaneRequirement | undefined;
  readonly freshUntil: number;
}

/** What the TLSA records of mail hosts demand (RFC 7672 section 2.2). */
export class DaneLookup {
  constructor(
    private readonly dns: DnsCache,
    private readonly port: number,
  ) {}

  /**
   * Of a host whose MX and address records DNSSEC vouches for. No requirement where there are no TLSA records that it
   * vouches for as well. Rejects with `DnsUnavailableError`: the host is not to be used until it is known.
   */
  async requirementOf(domain: string, { name, canonicalName }: SecureHost): Promise<DaneAnswer> {
    let freshUntil = Infinity;
    for (const baseName of new Set([canonicalName, name])) {
      const answer = await this.dns.ask('tlsa', `_${this.port}._tcp.${baseName}`);
      freshUntil = Math.min(freshUntil, answer.freshUntil);
      if (!answer.isAuthenticated || answer.records.length === 0) continue;
      const otherNames = [name, domain].filter((other) => other !== baseName);
      return { requirement: { records: usableRecords(answer.records), baseName, otherNames }, freshUntil };
    }
    return { requirement: undefined, freshUntil };
  }
}
