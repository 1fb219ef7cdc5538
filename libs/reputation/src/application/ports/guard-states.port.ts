import { Page, PageRequest, Transaction } from '#kernel';
import { EvidenceStart } from '../../domain/evidence.js';
import { GuardChange, GuardedPair, GuardState } from '../../domain/guard-state.js';

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
