import { Transaction } from '#kernel';
import { AddedCounts, CountedOutcome, KnownSites } from '../../domain/provider-counts.js';
import { DayCount, KindCount } from '../../domain/provider-summary.js';

/** A stretch of a log of events: the positions after `after`, up to `position`, and the bounds of the ids of its emails. */
export interface OutcomeSpan {
  readonly after: string;
  readonly position: string;
  readonly firstEmailId: string;
  readonly lastEmailId: string;
}

export interface CountsOfDomain {
  readonly kinds: readonly KindCount[];
  readonly days: readonly DayCount[];
}

/** What became of mail by mailbox provider. */
export abstract class ProviderCounters {
  /** Groups the events of emails in a stretch of their log, with the attempts that belong to them. */
  abstract outcomesOf(span: OutcomeSpan, transaction: Transaction): Promise<readonly CountedOutcome[]>;

  /** The same for people who unsubscribed by the link of an email. */
  abstract unsubscribesOf(span: OutcomeSpan, transaction: Transaction): Promise<readonly CountedOutcome[]>;

  /** The sites that have counters already, of these domains and days. */
  abstract sitesOf(
    keys: readonly { readonly domainId: string; readonly day: string }[],
    transaction: Transaction,
  ): Promise<KnownSites>;

  abstract add(counts: AddedCounts, transaction: Transaction): Promise<void>;

  /** The counters of a domain from the first day up to but not including the last, days in their order. */
  abstract read(domainId: string, from: string, to: string): Promise<CountsOfDomain>;
}

/** Whose mail to which provider had bad outcomes. */
export interface TroubledPair {
  readonly teamId: string;
  readonly domainId: string;
  readonly provider: string;
}

/** Hosts refuse the sender's address in mail of a domain. */
export interface RefusedSender {
  readonly teamId: string;
  readonly domainId: string;
  /** One of their replies, without addresses. */
  readonly reply: string | null;
}

/** Is told of bad outcomes when they are counted: by the guard of reputations, which this lib does not know. */
export abstract class BadOutcomes {
  /** Within the transaction that counts them. Pairs are distinct. */
  abstract touched(pairs: readonly TroubledPair[], transaction: Transaction): Promise<void>;

  /** Within the transaction that counts them. Domains are distinct. */
  abstract senderRefused(senders: readonly RefusedSender[], transaction: Transaction): Promise<void>;
}
