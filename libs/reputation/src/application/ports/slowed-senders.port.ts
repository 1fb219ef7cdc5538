import type { PacedLane } from '#delivery';
import { GuardState } from '../../domain/guard-state.js';
import { PaceRule } from '../../domain/pace-rule.js';

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
