import { DnsResolver, DnsUnavailableError } from '#domains';
import type { DnsRecords } from '#domains';
import { FairBudget } from '#kernel';
import { ShortCache } from '#platform/caching';
import { Injectable } from '@nestjs/common';

type Kind = 'txt' | 'mx' | 'a' | 'aaaa' | 'ptr';

/** Look-ups under way, of all messages together and of one network. */
const lookUps = { totalBytes: 200, maxBytesPerOwner: 50 };
/** Answers of real records are smaller; larger ones are not kept, so that the cache stays small. */
const maxCachedCharacters = 4_096;

/**
 * The DNS as the checks of senders use it: bounded, shared fairly among networks, and with a cache of a minute, because most
 * mail is from senders that send more.
 */
@Injectable()
export class SenderDns {
  private readonly cache = new ShortCache<readonly unknown[]>({ ttlMs: 60_000, maxEntries: 10_000 });
  private readonly turns = new FairBudget(lookUps);

  constructor(private readonly dns: DnsResolver) {}

  /** Throws DnsUnavailableError where there is no usable answer. */
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

  /** In the form of Node's `dns.resolve`, which mailauth expects: an error where there are no records. */
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
    const turn = await this.turns.take([network], 1);
    try {
      return (await this.dns.ask(type, name)).records;
    } finally {
      turn.release();
    }
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
