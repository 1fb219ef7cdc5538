import type { Actor } from '#identity';
import { Cause } from './cause.js';
import { EvidenceStart, RateEvidence } from './evidence.js';
import { ChangeReason } from './guard-decision.js';
import { GuardStep } from './guard-limits.js';

/** Whose mail to whom. */
export interface GuardedPair {
  readonly teamId: string;
  readonly domainId: string;
  readonly provider: string;
}

/** A reply that hosts gave in the time that the guard looked at. */
export interface ReplyExample {
  readonly category: string;
  readonly count: number;
  readonly reply: string;
  readonly emailId: string | null;
}

export type EarlierRate = Pick<RateEvidence, 'id' | 'count' | 'of' | 'percent'>;

/** What a change was decided by. */
export interface ChangeEvidence {
  readonly rates: readonly RateEvidence[];
  /** The same rates in the week before, to compare. */
  readonly earlier: readonly EarlierRate[];
  readonly replies: readonly ReplyExample[];
  readonly cause: Cause | undefined;
}

/** The step at which the guard holds the mail of a domain to a provider. */
export interface GuardState extends GuardedPair {
  readonly step: GuardStep;
  readonly since: Date;
  /** Only what happened since is looked at for the next step. */
  readonly start: EvidenceStart;
  /** Whether what was under way at the change has ended, so that the start is final. */
  readonly isSettled: boolean;
  /** Messages an hour where the step slows. */
  readonly slowPace: number;
  readonly evidence: ChangeEvidence | undefined;
  readonly liftedAt: Date | undefined;
  /** It came back soon after the team had lifted it: only the operator may lift it. */
  readonly isLocked: boolean;
}

/** A change of the step, as it stays in the history. */
export interface GuardChange extends GuardedPair {
  readonly id: string;
  readonly from: GuardStep;
  readonly to: GuardStep;
  readonly because: ChangeReason;
  readonly evidence: ChangeEvidence | undefined;
  readonly actor: Actor;
  readonly createdAt: Date;
}
