import { Injectable } from '@nestjs/common';
import { BrandLogo, brandLogoOf, isBimi, isDmarc } from '../../domain/brand-logo.js';
import { compareCaa } from '../../domain/record-comparisons.js';
import { compareDkim } from '../../domain/dkim-comparison.js';
import { compareDmarc } from '../../domain/record-comparisons.js';
import { compareTlsReporting } from '../../domain/record-comparisons.js';
import { DkimKeyInfo } from '../../domain/domain.js';
import { ExpectedRecord } from '../../domain/expected-record.js';
import { compareAlias, compareMx, compareStandIn } from '../../domain/record-comparisons.js';
import { Finding } from '../../domain/record-check.js';
import { CaaRecord, DnsResolver, DnsUnavailableError } from '../ports/dns-resolver.port.js';
import { Clues } from './clues.js';
import { SpfInspection } from './spf-inspector.js';

/** A name may have 126 labels, and a hostile zone answers for each of them just in time. */
const maxCaaLookUps = 10;

/** Reads one record from the DNS and compares its meaning with the expected one. */
@Injectable()
export class RecordInspector {
  private readonly clues: Clues;

  constructor(private readonly dns: DnsResolver) {
    this.clues = new Clues(dns, (record, host) => this.look({ ...record, host }));
  }

  /** Does not throw if the DNS gives no answer: that is a finding too. `names` are the domain and its zone. */
  async inspect(record: ExpectedRecord, names: readonly string[]): Promise<Finding> {
    try {
      const finding = await this.look(record);
      if (finding.kind === 'missing' && record.kind === 'dmarc') return await this.inherited(record, finding, names);
      if (record.kind === 'tracking-caa') return finding;
      return finding.kind === 'missing' ? await this.clues.explain(record, finding, names) : finding;
    } catch (error) {
      if (error instanceof DnsUnavailableError) return { kind: 'unknown', reason: error.reason };
      throw error;
    }
  }

  /** Whether a receiver that verifies a signature finds this key at this name. */
  async seesKey(host: string, key: DkimKeyInfo): Promise<boolean> {
    try {
      return compareDkim(await this.dns.txt(host), key).kind === 'right';
    } catch (error) {
      if (error instanceof DnsUnavailableError) return false;
      throw error;
    }
  }

  /** The logo of a domain, and whether its mail may have one; undefined if the DNS gives no answer. */
  async brandLogo([name, zone]: readonly [name: string, zone: string]): Promise<BrandLogo | undefined> {
    try {
      const [dmarc, bimi] = await Promise.all([
        this.closest('_dmarc', [name, zone], isDmarc),
        this.closest('default._bimi', [name, zone], isBimi),
      ]);
      const isInherited = dmarc.host !== `_dmarc.${name}`;
      return brandLogoOf({ dmarc: dmarc.texts, isInherited, bimi: bimi.texts, bimiHost: bimi.host });
    } catch (error) {
      if (error instanceof DnsUnavailableError) return undefined;
      throw error;
    }
  }

  /** The texts of a domain, or of its zone where the domain has none of the kind. */
  private async closest(
    label: string,
    [name, zone]: readonly [name: string, zone: string],
    isOfKind: (text: string) => boolean,
  ): Promise<{ readonly host: string; readonly texts: readonly string[] }> {
    const host = `${label}.${name}`;
    const texts = await this.dns.txt(host);
    if (name === zone || texts.some(isOfKind)) return { host, texts };
    return { host: `${label}.${zone}`, texts: await this.dns.txt(`${label}.${zone}`) };
  }

  private async look(record: ExpectedRecord): Promise<Finding> {
    switch (record.kind) {
      case 'dkim':
        return compareDkim(await this.dns.txt(record.host), record.publicKey);
      case 'dkim-alias':
        return this.lookAtAlias(record);
      case 'return-path':
      case 'receiving':
        return compareMx(await this.dns.mx(record.host), record.value);
      case 'stand-in':
        return compareStandIn(await this.dns.mx(record.host), record.value);
      case 'spf':
        return new SpfInspection(this.dns, record.mechanism).inspect(record.host);
      case 'tracking':
        return this.lookAtTracking(record);
      case 'tracking-caa':
        return compareCaa(await this.relevantCaa(record.trackingHost), record.authority);
      case 'dmarc':
        return compareDmarc(await this.dns.txt(record.host));
      case 'tls-reporting':
        return compareTlsReporting(await this.dns.txt(record.host));
    }
  }

  /** A domain without its own DMARC record inherits that of its zone (RFC 7489 section 6.6.3). */
  private async inherited(
    record: ExpectedRecord,
    missing: Extract<Finding, { kind: 'missing' | 'wrong' }>,
    names: readonly string[],
  ): Promise<Finding> {
    const zone = names[names.length - 1] as string;
    const finding = await this.look({ ...record, host: `_dmarc.${zone}` });
    return finding.kind === 'missing' ? this.clues.explain(record, missing, names) : finding;
  }

  private async lookAtAlias(record: ExpectedRecord & { kind: 'dkim-alias' }): Promise<Finding> {
    const alias = compareAlias(await this.dns.cname(record.host), record.value);
    if (alias.kind !== 'right') return this.aliasOrProxied(record, alias);
    if (record.publicKey?.state !== 'signing') return alias;
    const key = compareDkim(await this.dns.txt(record.host), record.publicKey);
    return key.kind === 'missing' ? { kind: 'wrong', mistake: 'service_key_unpublished', found: [record.value] } : key;
  }

  /** DNS providers that flatten an alias answer with the addresses of its target, which is just as good. */
  private async lookAtTracking(record: ExpectedRecord): Promise<Finding> {
    const alias = compareAlias(await this.dns.cname(record.host), record.value);
    if (alias.kind !== 'missing') return alias;
    const [given, ours] = await Promise.all([this.addresses(record.host), this.addresses(record.value)]);
    if (given.length === 0) return alias;
    if (given.every((address) => ours.includes(address))) return { kind: 'right' };
    return { kind: 'wrong', mistake: 'proxied', found: given };
  }

  /**
   * The closest set of CAA records, from the host upwards, applies (RFC 8659 section 3). A top-level domain has none.
   */
  private async relevantCaa(host: string): Promise<readonly CaaRecord[]> {
    const labels = host.split('.');
    for (let at = 0; at < Math.min(labels.length - 1, maxCaaLookUps); at++) {
      const records = await this.dns.caa(labels.slice(at).join('.'));
      if (records.length > 0) return records;
    }
    return [];
  }

  private async aliasOrProxied(record: ExpectedRecord, alias: Finding): Promise<Finding> {
    if (alias.kind !== 'missing') return alias;
    const addresses = await this.addresses(record.host);
    return addresses.length === 0 ? alias : { kind: 'wrong', mistake: 'proxied', found: addresses };
  }

  private async addresses(host: string): Promise<readonly string[]> {
    return (await Promise.all([this.dns.a(host), this.dns.aaaa(host)])).flat();
  }
}
