import { Mistake } from '../../domain/mistake.js';
import { Finding } from '../../domain/record-check.js';
import {
  costsLookUp,
  isSpf,
  maxSpfLookUps,
  maxSpfVoidLookUps,
  parseSpf,
  SpfMechanism,
  SpfRecord,
} from '../../domain/spf-record.js';
import { DnsResolver } from '../ports/dns-resolver.port.js';

/** Limit of records read for one inspection, so that a hostile zone cannot keep the process busy. */
const maxRecords = 30;

/**
 * Tells whether the SPF record of a name authorizes mail from this service. Evaluates the meaning of the record: terms
 * in any order, includes and redirects followed (RFC 7208). The whole record counts against the limit of look-ups, also
 * terms after the one that matches, because receivers evaluate them for other senders' mail.
 */
export class SpfInspection {
  private lookUps = 0;
  private voidLookUps = 0;
  private recordsRead = 0;
  private rejected = false;
  private afterAll = false;
  private hostAddresses: Promise<readonly string[]> | undefined;

  constructor(
    private readonly dns: DnsResolver,
    /** `a:host` or `include:name`. */
    private readonly wanted: string,
  ) {}

  async inspect(name: string): Promise<Finding> {
    const texts = (await this.dns.txt(name)).map((text) => text.trim());
    const records = texts.filter(isSpf);
    if (records.length === 0) return withoutRecord(texts);
    const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found: records });
    if (records.length > 1) return wrong('several_spf_records');
    const record = parseSpf(records[0] as string);
    if (record === undefined) return wrong('invalid_syntax');
    const authorizes = await this.authorizes(record, [name]);
    if (authorizes === 'broken')
      return wrong(this.lookUps > maxSpfLookUps ? 'spf_too_many_lookups' : 'spf_broken_include');
    if (this.lookUps > maxSpfLookUps) return wrong('spf_too_many_lookups');
    if (authorizes) return { kind: 'right' };
    if (this.afterAll) return wrong('spf_after_all');
    return wrong(this.rejected ? 'spf_rejected' : 'spf_not_authorized');
  }

  private async authorizes(record: SpfRecord, path: readonly string[]): Promise<boolean | 'broken'> {
    let found = false;
    let ended = false;
    for (const mechanism of record.mechanisms) {
      if (costsLookUp(mechanism) && ++this.lookUps > maxSpfLookUps) return 'broken';
      const matches = await this.matches(mechanism, path);
      if (matches === 'broken') return 'broken';
      if (matches) {
        if (ended) this.afterAll = true;
        else if (mechanism.qualifier === '+') found = true;
        else this.rejected = true;
      }
      if (mechanism.name === 'all') ended = true;
    }
    // A redirect applies only if there is no "all" (section 6.1).
    if (record.redirect === undefined || ended) return found;
    if (++this.lookUps > maxSpfLookUps) return 'broken';
    const redirected = await this.follow(record.redirect, path);
    return redirected === 'broken' ? 'broken' : found || redirected;
  }

  private async matches(mechanism: SpfMechanism, path: readonly string[]): Promise<boolean | 'broken'> {
    const isWanted = `${mechanism.name}:${mechanism.value}` === this.wanted && mechanism.prefix === '';
    if (mechanism.name === 'include') {
      const included = await this.follow(mechanism.value, path);
      if (this.voidLookUps > maxSpfVoidLookUps) return 'broken';
      // Our own SPF record may be missing while the service is being set up. That is not the customer's mistake.
      return included === 'broken' && !isWanted ? 'broken' : isWanted || included === true;
    }
    if (isWanted) return true;
    if (mechanism.name === 'ip4' || mechanism.name === 'ip6') return this.coversHost(mechanism);
    return false;
  }

  /** Whether the mechanism names our host by its address. */
  private async coversHost(mechanism: SpfMechanism): Promise<boolean> {
    if (mechanism.prefix !== '' && mechanism.prefix !== '/32' && mechanism.prefix !== '/128') return false;
    if (!this.wanted.startsWith('a:')) return false;
    // Looked up once: a record can contain hundreds of ip4 terms.
    this.hostAddresses ??= this.addressesOf(this.wanted.slice(2));
    const addresses = await this.hostAddresses;
    return addresses.length === 1 && addresses.includes(mechanism.value);
  }

  private async addressesOf(host: string): Promise<readonly string[]> {
    return (await Promise.all([this.dns.a(host), this.dns.aaaa(host)])).flat();
  }

  private async follow(name: string, path: readonly string[]): Promise<boolean | 'broken'> {
    // The value of a macro depends on the message.
    if (name.includes('%')) return false;
    if (path.includes(name) || ++this.recordsRead > maxRecords) return 'broken';
    const texts = await this.dns.txt(name);
    if (texts.length === 0) this.voidLookUps++;
    const records = texts.filter(isSpf);
    const record = records.length === 1 ? parseSpf(records[0] as string) : undefined;
    return record === undefined ? 'broken' : this.authorizes(record, [...path, name]);
  }
}

function withoutRecord(texts: readonly string[]): Finding {
  const similar = texts.filter((text) => /spf1|\b(?:include|a):/i.test(text));
  const [text] = similar;
  if (text === undefined) return { kind: 'missing', mistake: 'missing', found: [] };
  const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found: similar });
  if (/["“”]/.test(text)) return wrong('quotes_kept');
  if (text.includes('\\')) return wrong('backslashes_kept');
  if (/^v=spf1/i.test(text) || !/spf1/i.test(text)) return wrong('spf_version_missing');
  return wrong(/\sv=spf1/i.test(text) ? 'name_in_value' : 'invalid_syntax');
}
