import type { PacedLane } from '#delivery';
import { Transaction } from '#kernel';
import { EndedDay, Ramp } from '../../domain/warm-up.js';

/** The mail of a domain to a provider. */
export type WarmedPair = Pick<PacedLane, 'domainId' | 'provider'>;

export interface WarmUp {
  readonly domainId: string;
  readonly teamId: string;
  /** Messages of each day to a provider. */
  readonly schedule: readonly number[];
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
}

/** A domain that warms up, as workers remember it. */
export interface WarmingDomain {
  readonly domainId: string;
  /** Providers whose ramp has ended. */
  readonly doneProviders: readonly string[];
}

export interface WarmedProvider {
  readonly provider: string;
  /** As it is now. */
  readonly ramp: Ramp;
}

/** What may go, and when more may go if that is less than was wanted. */
export interface Allowance {
  readonly taken: number;
  readonly nextAt: Date | undefined;
}

/** A warm-up that is to be told of. */
export interface ToldWarmUp {
  readonly domainId: string;
  readonly teamId: string;
}

/** A day of a provider on which its ramp was slowed again, see `toldAfterDays`. */
export interface SlowedAgain extends ToldWarmUp {
  readonly provider: string;
  readonly day: EndedDay;
}

/** Called in the transaction of the change. */
export type Tell<News> = (news: News, transaction: Transaction) => Promise<void>;

/** The warm-ups of domains, and how much of their mail went. */
export abstract class WarmUps {
  /** Those that run. */
  abstract list(): Promise<readonly WarmingDomain[]>;

  /** Takes up to `wanted` from what may go now, so that all workers together keep to it. All of it where nothing warms up. */
  abstract take(pair: WarmedPair, wanted: number, now: Date, onSlowed: Tell<SlowedAgain>): Promise<Allowance>;

  /** For what was taken in the same hour and did not go. */
  abstract giveBack(pair: WarmedPair, count: number, now: Date): Promise<void>;

  /** Undefined if the domain was never warmed up, or that was long ago. */
  abstract of(domainId: string): Promise<WarmUp | undefined>;

  /** Providers that got mail, at most `limit`: those whose limit was half used most lately first. */
  abstract providersOf(warmUp: WarmUp, now: Date, limit: number): Promise<readonly WarmedProvider[]>;

  /** The ramp as it is now, with the name of the domain. Undefined if the mail is not warmed up. */
  abstract rampOf(
    pair: WarmedPair,
    now: Date,
  ): Promise<
    { readonly domain: string; readonly schedule: readonly number[]; readonly ramp: Ramp | undefined } | undefined
  >;

  /**
   * Starts the warm-up, or gives the one that runs this schedule. What went stays counted, so that a new start is no way to send more.
   * Tells the workers.
   */
  abstract start(warmUp: WarmUp, transaction: Transaction): Promise<void>;

  /** Returns false if none runs. Tells the workers. */
  abstract end(domainId: string, now: Date, transaction: Transaction): Promise<boolean>;

  /** Ends some of the warm-ups of which a ramp has ended and none goes on, see `quietDays`. */
  abstract endFinished(now: Date, onEnd: Tell<ToldWarmUp>): Promise<void>;
}
