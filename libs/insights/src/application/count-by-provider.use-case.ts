import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { Transaction } from '#kernel';
import { largeProviderOf, otherSites } from '../domain/mailbox-provider.js';
import { CountedOutcome, countsOf, dayOf, ProviderHour, siteKey, withoutAddresses } from '../domain/provider-counts.js';
import {
  BadOutcomes,
  OutcomeSpan,
  ProviderCounters,
  RefusedSender,
  TroubledPair,
} from './ports/provider-counters.port.js';

/** Longest name that is kept. */
const maxName = 100;

/**
 * The mailbox provider behind a mail host (`mx1.example.net`), or behind the domain of a recipient (`@example.net`) where no host is
 * known: one of the large ones, or the registered domain of the name.
 */
export function providerOf(receiver: string): string {
  const name = receiver.toLowerCase();
  const large = largeProviderOf(name);
  if (large !== undefined) return large;
  const host = name.replace(/^@/, '');
  const site = getDomain(host, { allowPrivateDomains: false, validateHostname: false }) ?? host;
  const isName = /^[a-z0-9._-]+$/.test(site) && /[a-z]/.test(site) && site.includes('.');
  return isName && site.length <= maxName ? site : otherSites;
}

/** Counts what became of mail by mailbox provider, off the path of mail: from the log of events. */
@Injectable()
export class CountByProvider {
  constructor(
    private readonly counters: ProviderCounters,
    private readonly badOutcomes: BadOutcomes,
  ) {}

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
    const counts = countsOf(outcomes, providerOf, known);
    await this.counters.add(counts, transaction);
    const troubled = troubledIn(counts.hours);
    if (troubled.length > 0) await this.badOutcomes.touched(troubled, transaction);
    const refused = refusedSendersIn(outcomes);
    if (refused.length > 0) await this.badOutcomes.senderRefused(refused, transaction);
  }
}

function refusedSendersIn(outcomes: readonly CountedOutcome[]): readonly RefusedSender[] {
  const refused = outcomes.filter(({ category, isTest }) => category === 'bad-sender' && !isTest);
  const senders = refused.map(({ teamId, domainId, reply }) => ({ teamId, domainId, reply: withoutAddresses(reply) }));
  return [...new Map(senders.map((sender) => [sender.domainId, sender])).values()];
}

/** The pairs with complaints, bad addresses or refusals as spam. Nearly always there are none. */
function troubledIn(hours: readonly ProviderHour[]): readonly TroubledPair[] {
  const bad = hours.filter(
    ({ badAddresses, refusedAsSpam, complained }) => badAddresses + refusedAsSpam + complained > 0,
  );
  const pairs = new Map(
    bad.map(({ teamId, domainId, provider }) => [`${domainId} ${provider}`, { teamId, domainId, provider }]),
  );
  return [...pairs.values()];
}
