import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { CountedOutcome, countsOf, dayOf, siteKey } from '../domain/provider-counts.js';
import { OutcomeSpan, ProviderCounters } from './ports/provider-counters.port.js';
import { providerOf } from './provider-of.js';

/** Counts what became of mail by mailbox provider, off the path of mail: from the log of events. */
@Injectable()
export class CountByProvider {
  constructor(private readonly counters: ProviderCounters) {}

  /** The transaction is that of the consumer's cursor, so that each event is counted exactly once. */
  async countEmails(span: OutcomeSpan, transaction: Transaction): Promise<void> {
    await this.add(await this.counters.outcomesOf(span, transaction), transaction);
  }

  async countUnsubscribes(span: OutcomeSpan, transaction: Transaction): Promise<void> {
    await this.add(await this.counters.unsubscribesOf(span, transaction), transaction);
  }

  private async add(outcomes: readonly CountedOutcome[], transaction: Transaction): Promise<void> {
    if (outcomes.length === 0) return;
    const days = new Map(
      outcomes.map(({ domainId, hour }) => [siteKey(domainId, dayOf(hour)), { domainId, day: dayOf(hour) }]),
    );
    const known = await this.counters.sitesOf([...days.values()], transaction);
    await this.counters.add(countsOf(outcomes, providerOf, known), transaction);
  }
}
