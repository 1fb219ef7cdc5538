import { DnsResolver, DnsUnavailableError } from '#domains';
import type { DnsAnswer, DnsRecords, DnsRecordType } from '#domains';

/**
 * Minimum and maximum time for which records are kept: a short TTL is not followed to the second, and a moved host is
 * found within the hour.
 */
const minSeconds = 60;
const maxSeconds = 3_600;
/** Maximum time for which the absence of records is kept: they may be about to be created. */
const maxAbsenceSeconds = 900;
/** After a failure the resolver is not asked again for this long, so that it is not asked for each message. */
const keepFailureMs = 5_000;
const defaultMaxAnswers = 50_000;

export interface CachedAnswer<Record> extends DnsAnswer<Record> {
  /** Time until which it may be used, on the cache's clock, in milliseconds. */
  readonly freshUntil: number;
}

/** Caches DNS answers for as long as their TTL allows, within bounds. All lookups of the process share it. */
export class DnsCache {
  readonly #answers: ExpiringCache<string, CachedAnswer<DnsRecords[DnsRecordType]> | DnsUnavailableError>;

  constructor(
    private readonly dns: DnsResolver,
    readonly now: () => number = () => performance.now(),
    maxAnswers = defaultMaxAnswers,
  ) {
    this.#answers = new ExpiringCache(maxAnswers, now);
  }

  /** Rejects with `DnsUnavailableError` if the DNS gave no answer. */
  async ask<Type extends DnsRecordType>(type: Type, name: string): Promise<CachedAnswer<DnsRecords[Type]>> {
    const answer = await this.#answers.get(
      `${type} ${name.toLowerCase()}`,
      () => this.#ask(type, name),
      (found) => (found instanceof DnsUnavailableError ? keepFailureMs : found.freshUntil - this.now()),
    );
    if (answer instanceof DnsUnavailableError) throw answer;
    return answer as CachedAnswer<DnsRecords[Type]>;
  }

  async #ask(
    type: DnsRecordType,
    name: string,
  ): Promise<CachedAnswer<DnsRecords[DnsRecordType]> | DnsUnavailableError> {
    try {
      const answer = await this.dns.ask(type, name);
      const maxKeptSeconds = answer.records.length > 0 ? maxSeconds : maxAbsenceSeconds;
      const seconds = Math.min(maxKeptSeconds, Math.max(minSeconds, answer.ttl));
      return { ...answer, freshUntil: this.now() + seconds * 1_000 };
    } catch (error) {
      if (error instanceof DnsUnavailableError) return error;
      throw error;
    }
  }
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  expiresAt: number;
}

/**
 * A cache with expiring entries and a maximum size, which drops the oldest entry first. Concurrent callers share one
 * request.
 */
export class ExpiringCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>();

  constructor(
    private readonly maxEntries: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether a value is cached or being requested. */
  has(key: Key): boolean {
    return (this.#entries.get(key)?.expiresAt ?? 0) > this.now();
  }

  /** A request that fails is not cached. */
  get(key: Key, ask: (key: Key) => Promise<Value>, keepMs: (value: Value) => number): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.expiresAt > this.now()) return known.value;
    this.#entries.delete(key);
    const entry: Entry<Value> = { value: ask(key), expiresAt: Infinity };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => (entry.expiresAt = this.now() + keepMs(value)),
      () => (entry.expiresAt = 0),
    );
    this.#trim();
    return entry.value;
  }

  /** Replaces the cached value. */
  set(key: Key, value: Value, keepMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value: Promise.resolve(value), expiresAt: this.now() + keepMs });
    this.#trim();
  }

  #trim(): void {
    if (this.#entries.size <= this.maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
