import { usableRecords } from './dane.js';
import type { DaneRequirement } from './dane.js';
import type { DnsCache } from './dns-cache.js';

/** The properties of a mail host that DANE depends on. */
export interface SecureHost {
  readonly name: string;
  /** The end of the alias chain of its name, if DNSSEC secures the chain. */
  readonly canonicalName: string;
}

export interface DaneAnswer {
  readonly requirement: DaneRequirement | undefined;
  readonly freshUntil: number;
}

/** Looks up the DANE requirements of mail hosts in their TLSA records (RFC 7672 section 2.2). */
export class DaneLookup {
  constructor(
    private readonly dns: DnsCache,
    private readonly port: number,
  ) {}

  /**
   * The requirement of a host whose MX and address records are secured by DNSSEC. There is none if the host has no TLSA
   * records secured by DNSSEC. Rejects with `DnsUnavailableError`: the host must not be used until its TLSA records are
   * known.
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
