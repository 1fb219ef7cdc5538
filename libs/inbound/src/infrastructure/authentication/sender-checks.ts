import { isIP } from 'node:net';
import { DnsResolver, DnsUnavailableError } from '#domains';
import type { DnsRecords } from '#domains';
import { FairBudget } from '#kernel';
import { ShortCache } from '#platform/caching';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { MessageOrigin } from '../../application/ports/message-judge.port.js';
import { AuthenticationResult, DkimVerdict, DmarcVerdict, FcrdnsVerdict, SpfVerdict } from '../../domain/verdicts.js';

/** Names of a client that are looked up. */
const maxNames = 5;
const maxNameLength = 255;

/**
 * Results of SPF for a minute, as long as those of the DNS are kept. Each message asks twice, at RCPT and at DATA, and
 * a client that sends more asks again. With a record of one range, this saves a third of the CPU of a message of 4 KB.
 */
export class SpfResults {
  private readonly cache = new ShortCache<SpfVerdict>({ ttlMs: 60_000, maxEntries: 5_000 });

  constructor(
    private readonly dns: SenderDns,
    private readonly hostName: string,
  ) {}

  /** Never throws. */
  async of(origin: MessageOrigin): Promise<SpfVerdict> {
    const { client, mailFrom, network } = origin;
    let failed: SpfVerdict | undefined;
    // The network is part of the key, so that nobody waits for the turn of another network.
    const result = await this.cache.get([network, client.address, client.helo, mailFrom].join('\n'), async () => {
      const verdict = await checkSpf(origin, this.dns, this.hostName);
      if (verdict.result !== 'temperror') return verdict;
      failed = verdict;
      return undefined;
    });
    return result ?? failed ?? { result: 'temperror', domain: spfDomain(mailFrom, client.helo) };
  }
}

/** SPF with mailauth. Never throws. */
export async function checkSpf(origin: MessageOrigin, dns: SenderDns, hostName: string): Promise<SpfVerdict> {
  const { client, mailFrom, network } = origin;
  const domain = spfDomain(mailFrom, client.helo);
  try {
    const { spf } = await import('mailauth/lib/spf/index.js');
    const { status } = await spf({
      sender: mailFrom === '' ? `postmaster@${client.helo}` : mailFrom,
      ip: client.address,
      helo: client.helo,
      mta: hostName,
      resolver: dns.resolverFor(network),
    } as never);
    return { result: status.result as AuthenticationResult, domain };
  } catch {
    return { result: 'temperror', domain };
  }
}

function spfDomain(mailFrom: string, helo: string): string {
  return (mailFrom === '' ? helo : mailFrom.slice(mailFrom.lastIndexOf('@') + 1)).toLowerCase();
}

/** Never throws. */
export async function checkName({ client, network }: MessageOrigin, dns: SenderDns): Promise<FcrdnsVerdict> {
  try {
    const names = await dns.records('ptr', client.address, network);
    const type = isIP(client.address) === 6 ? 'aaaa' : 'a';
    for (const name of names.slice(0, maxNames)) {
      if (name.length > maxNameLength) continue;
      const addresses = await dns.records(type, name, network);
      if (addresses.some((address) => isSame(address, client.address))) return { result: 'pass', name };
    }
    return names[0] === undefined ? { result: 'none' } : { result: 'fail', name: names[0].slice(0, maxNameLength) };
  } catch (error) {
    if (error instanceof DnsUnavailableError) return { result: 'temperror' };
    return { result: 'fail' };
  }
}

function isSame(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

/** The URL parser writes an IPv6 address in its shortest form. */
function normalized(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.split('%', 1)[0]}]`).hostname : address;
}

/*
 * The DMARC rules (RFC 7489 section 6.6). Not those of mailauth, which take strict alignment for relaxed and do not judge a
 * message with several authors.
 */

/** What a DMARC record asks for. */
export interface DmarcPolicy {
  readonly policy: 'none' | 'quarantine' | 'reject';
  readonly strictDkim: boolean;
  readonly strictSpf: boolean;
}

/** Undefined if a record has no usable policy. `isOfParent`: the record was found at the organizational domain. */
export function readPolicy(record: string, isOfParent: boolean): DmarcPolicy | undefined {
  const tags = new Map(
    record.split(';', 100).map((tag) => {
      const equals = tag.indexOf('=');
      const [name, value] = equals < 0 ? [tag, ''] : [tag.slice(0, equals), tag.slice(equals + 1)];
      return [name.trim().toLowerCase(), value.trim().toLowerCase()] as const;
    }),
  );
  const asked = (isOfParent ? tags.get('sp') : undefined) ?? tags.get('p');
  if (asked !== 'none' && asked !== 'quarantine' && asked !== 'reject') return undefined;
  // An owner that tests asks for less than its policy says.
  const isTest = tags.get('t') === 'y' || Number(tags.get('pct') ?? '100') < 100;
  const policy = isTest ? weakened[asked] : asked;
  return { policy, strictDkim: tags.get('adkim') === 's', strictSpf: tags.get('aspf') === 's' };
}

const weakened = { none: 'none', quarantine: 'none', reject: 'quarantine' } as const;

/** The records of a name that are DMARC records. Several count as none (section 6.6.3). */
export function dmarcRecordOf(records: readonly string[]): string | undefined {
  const found = records.filter((record) => /^v=DMARC1(?:\s*;|\s*$)/i.test(record.trim()));
  return found.length === 1 ? found[0] : undefined;
}

export function organizationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

export function isAligned(author: string, domain: string, strict: boolean): boolean {
  return strict ? author === domain : organizationalDomain(author) === organizationalDomain(domain);
}

/** The result for one author's domain. */
export function evaluateDmarc(
  domain: string,
  policy: DmarcPolicy | undefined,
  spf: SpfVerdict,
  dkim: readonly Omit<DkimVerdict, 'aligned'>[],
): DmarcVerdict {
  const { strictSpf = false, strictDkim = false } = policy ?? {};
  const bySpf = spf.result === 'pass' && isAligned(domain, spf.domain, strictSpf);
  const byDkim = dkim.some(
    (signature) => signature.result === 'pass' && isAligned(domain, signature.domain, strictDkim),
  );
  const alignedBy = [...(bySpf ? (['spf'] as const) : []), ...(byDkim ? (['dkim'] as const) : [])];
  if (policy === undefined) return { result: 'none', domain, alignedBy };
  const base = { domain, policy: policy.policy, alignedBy };
  if (alignedBy.length > 0) return { ...base, result: 'pass' };
  const mayStillPass = [spf, ...dkim].some(({ result }) => result === 'temperror');
  return { ...base, result: mayStillPass ? 'temperror' : 'fail' };
}

const severity = ['fail', 'temperror', 'permerror', 'none', 'pass'];
const strictness = ['reject', 'quarantine', 'none', undefined];

/** The verdict on a message with several authors: the worst, because a reader may be shown any of them. */
export function worstOf(verdicts: readonly DmarcVerdict[]): DmarcVerdict | undefined {
  return [...verdicts].sort(
    (one, other) =>
      severity.indexOf(one.result) - severity.indexOf(other.result) ||
      Number(one.alignedBy.length > 0) - Number(other.alignedBy.length > 0) ||
      strictness.indexOf(one.policy) - strictness.indexOf(other.policy),
  )[0];
}

type Kind = 'txt' | 'mx' | 'a' | 'aaaa' | 'ptr';

/** Look-ups under way, of all messages together and of one network. */
const lookUps = { total: 200, maxPerOwner: 50 };
/** Answers of real records are smaller; larger ones are not kept, so that the cache stays small. */
const maxCachedCharacters = 4_096;

/**
 * The DNS as the checks of senders use it: bounded, shared fairly among networks, and with a cache of a minute, because
 * most mail is from senders that send more.
 */
@Injectable()
export class SenderDns {
  private readonly cache = new ShortCache<readonly unknown[]>({ ttlMs: 60_000, maxEntries: 10_000 });
  private readonly turns = new FairBudget(lookUps);

  constructor(private readonly dns: DnsResolver) {}

  /** Throws DnsUnavailableError if there is no usable answer. */
  async records<Type extends Kind>(type: Type, name: string, network: string): Promise<readonly DnsRecords[Type][]> {
    const key = `${type} ${name.toLowerCase()}`;
    let large: readonly unknown[] | undefined;
    const cached = await this.cache.get(key, async () => {
      const records = await this.ask(type, name, network);
      if (sizeOf(records) <= maxCachedCharacters) return records;
      large = records;
      return undefined;
    });
    return (cached ?? large ?? (await this.ask(type, name, network))) as readonly DnsRecords[Type][];
  }

  /** In the form of Node's `dns.resolve`, which mailauth expects: an error if there are no records. */
  resolverFor(network: string): (name: string, type: string) => Promise<unknown[]> {
    return async (name, type) => {
      const kind = type.toLowerCase();
      if (!isKind(kind)) throw failed('ENODATA', name);
      try {
        const records = await this.records(kind, kind === 'ptr' ? addressOf(name) : name, network);
        if (records.length === 0) throw failed('ENODATA', name);
        return records.map((record) => (kind === 'txt' ? [record] : inNodesForm(record)));
      } catch (error) {
        if (error instanceof DnsUnavailableError) throw failed('ETIMEOUT', name);
        throw error;
      }
    };
  }

  private async ask<Type extends Kind>(
    type: Type,
    name: string,
    network: string,
  ): Promise<readonly DnsRecords[Type][]> {
    return (await this.turns.during([network], 1, () => this.dns.ask(type, name))).records;
  }
}

function isKind(text: string): text is Kind {
  return ['txt', 'mx', 'a', 'aaaa', 'ptr'].includes(text);
}

function failed(code: string, name: string): Error {
  return Object.assign(new Error(`${name}: ${code}`), { code });
}

function sizeOf(records: readonly unknown[]): number {
  return records.reduce<number>((sum, record) => sum + (typeof record === 'string' ? record.length : 300), 0);
}

function inNodesForm(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('preference' in record)) return record;
  const { exchange, preference } = record as DnsRecords['mx'];
  return { exchange, priority: preference };
}

/** The address in a name of `in-addr.arpa` or `ip6.arpa`. */
function addressOf(name: string): string {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.').reverse().slice(2);
  if (!/ip6\.arpa\.?$/i.test(name)) return labels.join('.');
  return Array.from({ length: 8 }, (_, group) => labels.slice(4 * group, 4 * group + 4).join('')).join(':');
}
