import { Page, PageRequest, Transaction } from '#kernel';
import type { PacedLane } from '#delivery';
import { LookedAt } from '../../domain/cause.js';
import { EvidenceStart, OutcomeHour } from '../../domain/evidence.js';
import { GuardedRate, GuardSettings } from '../../domain/guard-limits.js';
import { GuardChange, GuardedPair, GuardState, ReplyExample } from '../../domain/guard-state.js';
import { PaceRule } from '../../domain/pace-rule.js';

/** A pair that is to be looked at, with its state if the guard ever took a step for it. */
export interface PairToLookAt {
  readonly pair: GuardedPair;
  readonly state: GuardState | undefined;
}

/** At which step the guard holds mail, and how it came there. */
export abstract class GuardStates {
  /** These pairs had bad outcomes: they are looked at soon. Within the transaction that counts the outcomes. */
  abstract touch(pairs: readonly GuardedPair[], transaction: Transaction): Promise<void>;

  /** The next pair to look at, locked until the transaction ends. Pairs that another process looks at are skipped. */
  abstract next(now: Date, transaction: Transaction): Promise<PairToLookAt | undefined>;

  /** The state, locked until the transaction ends. */
  abstract lock(domainId: string, provider: string, transaction: Transaction): Promise<GuardState | undefined>;

  /** Looks at the pair again at this time. */
  abstract postpone(pair: GuardedPair, lookAt: Date, transaction: Transaction): Promise<void>;

  /** What was under way at the last change has ended: only what happens from here on is looked at. */
  abstract settle(pair: GuardedPair, start: EvidenceStart, lookAt: Date, transaction: Transaction): Promise<void>;

  /** Writes the state and the change, and tells the workers. */
  abstract save(state: GuardState, change: GuardChange, lookAt: Date, transaction: Transaction): Promise<void>;

  /** The pairs of a domain that are at a step, the furthest first: one for each provider that was counted lately. */
  abstract ofDomain(domainId: string): Promise<readonly GuardState[]>;

  /** Those of all domains, the furthest first, at most `limit`. */
  abstract active(limit: number): Promise<readonly (GuardState & { readonly domain: string; readonly team: string })[]>;

  /** Newest first. */
  abstract changes(domainId: string, page: PageRequest): Promise<Page<GuardChange>>;
}

/** The limits of the guard, as the operator has set them. */
export abstract class GuardRules {
  abstract readonly settings: GuardSettings;
}

/** Whose domain it is, for events and notices. */
export abstract class GuardedDomains {
  /** Undefined if the domain no longer exists. */
  abstract nameOf(domainId: string, transaction: Transaction): Promise<string | undefined>;

  /** Addresses of the owners and admins of a team, a few of them. */
  abstract addressesOf(teamId: string, transaction: Transaction): Promise<readonly string[]>;
}

/** What became of mail, as the guard needs to know it. */
export abstract class GuardedOutcomes {
  /** By hour, from `since` on. */
  abstract hours(pair: GuardedPair, since: Date, transaction: Transaction): Promise<readonly OutcomeHour[]>;

  /** The most frequent replies with which mail was refused since that day, a few of them. */
  abstract replies(pair: GuardedPair, since: Date, transaction: Transaction): Promise<readonly ReplyExample[]>;

  /**
   * What the newest messages to the provider that count for a rate have in common, of those accepted since. Looks at a bounded number of the team's newest
   * emails, so it may take a few hundred milliseconds.
   */
  abstract lookedAt(pair: GuardedPair, rate: GuardedRate, since: Date, transaction: Transaction): Promise<LookedAt>;
}

/** A sender whose mail to a provider is slowed. */
export type SlowedSender = Pick<GuardState, 'domainId' | 'provider' | 'step' | 'slowPace'>;

/** Whose mail is slowed, and how much of it went. */
export abstract class SlowedSenders {
  /** All of them. */
  abstract list(): Promise<readonly SlowedSender[]>;

  /** How the guard holds the mail of a paced lane now, with the name of the domain. */
  abstract stateOf(lane: PacedLane): Promise<(GuardState & { readonly domain: string }) | undefined>;

  /**
   * Takes up to `wanted` from what all rules still allow, in one transaction, so that all workers together keep to them. A rule whose
   * period lies before the last one that was counted counts in that one: a clock that was turned back gives nothing twice.
   */
  abstract take(lane: PacedLane, rules: readonly PaceRule[], wanted: number): Promise<number>;

  abstract giveBack(lane: PacedLane, rules: readonly PaceRule[], count: number): Promise<void>;
}

/** The topic of notifications to workers: whose mail is slowed has changed. */
export const paceChanged = 'sender-pace';
