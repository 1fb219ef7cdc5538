import { DnsResolver, DnsUnavailableError } from '#domains';
import type { DnsAnswer, DnsRecords, DnsRecordType } from '#domains';
import { ExpiringCache } from './expiring-cache.js';

/** Zones that change by the second are not followed by the second, and a moved host is found within the hour. */
const minSeconds = 60;
const maxSeconds = 3_600;
/** What is not there may be set up right now. */
const maxAbsenceSeconds = 900;
/** A resolver in trouble is not asked once a message. */
const keepFailureMs = 5_000;
const maxAnswers = 50_000;

export interface CachedAnswer<Record> extends DnsAnswer<Record> {
  /** On the cache's clock, in milliseconds. */
  readonly freshUntil: number;
}

/** Responses of the DNS, kept for as long as their zones allow, within bounds; shared by all look-ups of the process. */
export class DnsCache {
  readonly #answers: ExpiringCache<string, CachedAnswer<DnsRecords[DnsRecordType]> | DnsUnavailableError>;

  constructor(
    private readonly dns: DnsResolver,
    readonly now: () => number = () => performance.now(),
  ) {
    this.#answers = new ExpiringCache(maxAnswers, now);
  }

  /** Rejects with `DnsUnavailableError` where the DNS gave no answer. */
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
      const longest = answer.records.length > 0 ? maxSeconds : maxAbsenceSeconds;
      const seconds = Math.min(longest, Math.max(minSeconds, answer.ttl));
      return { ...answer, freshUntil: this.now() + seconds * 1_000 };
    } catch (error) {
      if (error instanceof DnsUnavailableError) return error;
      throw error;
    }
  }
}
