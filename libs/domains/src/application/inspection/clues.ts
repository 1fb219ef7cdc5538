import { mentionsKey } from '../../domain/dkim-comparison.js';
import { ExpectedRecord } from '../../domain/expected-record.js';
import { Finding } from '../../domain/record-check.js';
import { DnsResolver, DnsUnavailableError } from '../ports/dns-resolver.port.js';

type Missing = Extract<Finding, { kind: 'missing' | 'wrong' }>;

/**
 * Looks for a missing record at names where people publish it by mistake. Makes look-ups only when a record is missing.
 */
export class Clues {
  constructor(
    private readonly dns: DnsResolver,
    private readonly lookAt: (record: ExpectedRecord, host: string) => Promise<Finding>,
  ) {}

  /** `names` are the domain and its zone. Where these look-ups get no answer, the record is reported as missing. */
  async explain(record: ExpectedRecord, missing: Missing, names: readonly string[]): Promise<Finding> {
    return (
      (await this.orUndefined(() => this.behindAlias(record))) ??
      (await this.orUndefined(() => this.atAppendedName(record, names))) ??
      (await this.orUndefined(() => this.atOtherName(record, names))) ??
      missing
    );
  }

  private async behindAlias(record: ExpectedRecord): Promise<Finding | undefined> {
    if (record.kind === 'tracking' || record.kind === 'dkim-alias') return undefined;
    const targets = await this.dns.cname(record.host);
    if (targets.length === 0) return undefined;
    const isValue = targets.some((target) => /(?:^|[=; ])(?:p=|v=dkim1|v=spf1|v=dmarc1)/i.test(target));
    return { kind: 'wrong', mistake: isValue ? 'value_as_alias' : 'alias_in_the_way', found: targets };
  }

  private async atAppendedName(record: ExpectedRecord, names: readonly string[]): Promise<Finding | undefined> {
    for (const name of new Set(names)) {
      const host = `${record.host}.${name}`;
      const finding = await this.lookAt(record, host);
      if (finding.kind === 'right') return { kind: 'missing', mistake: 'zone_name_appended', found: [`at ${host}`] };
    }
    return undefined;
  }

  private async atOtherName(record: ExpectedRecord, names: readonly string[]): Promise<Finding | undefined> {
    for (const host of wrongNamesOf(record, names)) {
      if (await this.isPublishedAt(record, host)) {
        return { kind: 'missing', mistake: 'published_at_wrong_name', found: [`at ${host}`] };
      }
    }
    return undefined;
  }

  private async isPublishedAt(record: ExpectedRecord, host: string): Promise<boolean> {
    switch (record.kind) {
      case 'dkim':
        return (await this.dns.txt(host)).some((text) => mentionsKey(text, record.publicKey));
      case 'spf':
        return (await this.dns.txt(host)).some((text) => text.toLowerCase().includes(record.mechanism));
      case 'dmarc':
        return (await this.dns.txt(host)).some((text) => /^"?v=DMARC1/i.test(text));
      case 'tls-reporting':
        return (await this.dns.txt(host)).some((text) => /^"?v=TLSRPTv1/i.test(text));
      case 'return-path':
      case 'receiving':
      case 'stand-in':
        return (await this.dns.mx(host)).some(({ exchange }) => exchange === record.value);
      case 'dkim-alias':
      case 'tracking':
        return (await this.dns.cname(host)).includes(record.value);
      case 'tracking-caa':
        return false;
    }
  }

  private async orUndefined(look: () => Promise<Finding | undefined>): Promise<Finding | undefined> {
    try {
      return await look();
    } catch (error) {
      if (error instanceof DnsUnavailableError) return undefined;
      throw error;
    }
  }
}

/**
 * Names at which the record may have been published by mistake: the zone, the domain without the labels of the record,
 * and names with a label lost or added.
 */
function wrongNamesOf(record: ExpectedRecord, names: readonly string[]): string[] {
  const [domain] = names as [string];
  const hosts = [...names];
  const own = record.host.endsWith(`.${domain}`) ? record.host.slice(0, -domain.length - 1) : '';
  if (own !== '') hosts.push(...names.map((name) => `${own}.${name}`));
  if (record.kind === 'dkim') {
    const [selector] = own.split('.');
    hosts.push(`${selector}.${domain}`, `_domainkey.${domain}`, `${selector}.domainkey.${domain}`);
  }
  if (record.kind === 'dmarc') hosts.push(`dmarc.${domain}`);
  // Where the domain also receives through this service, the same MX record belongs at those names.
  if (record.kind === 'receiving' || record.kind === 'stand-in') return [];
  if (record.kind === 'return-path' && record.domainReceives) return hosts.slice(names.length);
  return [...new Set(hosts)].filter((host) => host !== record.host);
}
