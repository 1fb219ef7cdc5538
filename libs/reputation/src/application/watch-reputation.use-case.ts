import { Clock, newId, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { causeOf } from '../domain/cause.js';
import {
  busiestHour,
  complaintWindowMs,
  countsBefore,
  EvidenceStart,
  measuredRates,
  noOutcomes,
  OutcomeHour,
  RateEvidence,
  ratesOver,
  volumeOf,
} from '../domain/evidence.js';
import { decide, GuardDecision, settleMs } from '../domain/guard-decision.js';
import { ChangeEvidence, GuardedPair, GuardState } from '../domain/guard-state.js';
import { levelOf } from '../domain/guard-limits.js';
import { AnnounceChange } from './announce-change.js';
import { GuardedOutcomes, GuardRules, GuardStates, PairToLookAt } from './ports/reputation-guard.port.js';

/** A pair at a step is looked at this often, beside whenever something bad is counted. */
const everyMs = 5 * 60_000;
/** Messages an hour while mail is slowed: a tenth of the busiest hour, and no fewer than these. */
const minPace = 100;
const slowedPart = 0.1;
/** If the evidence comes back within this time after a team has lifted a step, the team may not lift it again. */
const relapseMs = 24 * 3_600_000;
const dayMs = 24 * 3_600_000;
const weekMs = 7 * dayMs;

/**
 * The guard of reputations: looks at what became of the mail of a domain to a mailbox provider, and takes the next step or the one
 * before. Each step is written with its evidence, in one transaction with its event.
 */
@Injectable()
export class WatchReputation {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly states: GuardStates,
    private readonly outcomes: GuardedOutcomes,
    private readonly rules: GuardRules,
    private readonly announcements: AnnounceChange,
    private readonly clock: Clock,
  ) {}

  /** Looks at the next pair that had bad outcomes, or whose step is due for another look. Returns false if there is none. */
  lookAtNext(): Promise<boolean> {
    return this.unitOfWork.run(async (transaction) => {
      const now = this.clock.now();
      const next = await this.states.next(now, transaction);
      if (next === undefined) return false;
      await this.lookAt(next, now, transaction);
      return true;
    });
  }

  private async lookAt({ pair, state }: PairToLookAt, now: Date, transaction: Transaction): Promise<void> {
    const { settings } = this.rules;
    const since = new Date(now.getTime() - complaintWindowMs);
    const hours = await this.outcomes.hours(pair, since, transaction);
    if (state?.isSettled === false) return this.settle(state, hours, now, transaction);
    const rates = measuredRates(hours, state?.start, now, settings);
    const volume = volumeOf(hours, state?.start, now);
    const present = { step: state?.step ?? 'none', since: state?.since ?? now };
    const decision = decide(present, rates, volume, now, settings);
    if (decision !== undefined) return this.change(pair, state, decision, { hours, rates, now }, transaction);
    if (state !== undefined) await this.states.postpone(pair, new Date(now.getTime() + everyMs), transaction);
  }

  /** Waits until what was under way at the last change has ended, and looks only at what follows. */
  private async settle(
    state: GuardState,
    hours: readonly OutcomeHour[],
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    const settledAt = new Date(state.since.getTime() + settleMs);
    if (now < settledAt) return this.states.postpone(state, settledAt, transaction);
    const start = { from: now, before: countsBefore(hours, now) };
    await this.states.settle(state, start, new Date(now.getTime() + everyMs), transaction);
  }

  private async change(
    pair: GuardedPair,
    before: GuardState | undefined,
    { step, because }: GuardDecision,
    { hours, rates, now }: { hours: readonly OutcomeHour[]; rates: readonly RateEvidence[]; now: Date },
    transaction: Transaction,
  ): Promise<void> {
    const evidence = because === 'evidence' ? await this.evidenceOf(pair, rates, now, transaction) : bare(rates);
    const from = before?.step ?? 'none';
    const isWarning = because === 'evidence' && step === 'warned';
    const state: GuardState = {
      ...pair,
      step,
      since: now,
      // A warning changes nothing about the mail, so the same evidence may call for the next step.
      start: isWarning ? (before?.start ?? everything) : { from: now, before: countsBefore(hours, now) },
      isSettled: isWarning || because !== 'evidence',
      slowPace: levelOf(from) < levelOf('bulk_slowed') ? paceOf(hours, now) : (before?.slowPace ?? minPace),
      evidence,
      liftedAt: before?.liftedAt,
      isLocked: step !== 'none' && (before?.isLocked === true || isRelapse(before, now)),
    };
    const change = { ...pair, id: newId(now.getTime()), from, to: step, because, evidence };
    const written = { ...change, actor: { kind: 'service' } as const, createdAt: now };
    const lookAt = new Date(now.getTime() + (state.isSettled ? everyMs : settleMs));
    await this.states.save(state, written, lookAt, transaction);
    await this.announcements.announce(state, written, transaction);
  }

  private async evidenceOf(
    pair: GuardedPair,
    rates: readonly RateEvidence[],
    now: Date,
    transaction: Transaction,
  ): Promise<ChangeEvidence> {
    const [worst] = [...rates].sort((a, b) => levelOf(b.step) - levelOf(a.step)) as [RateEvidence];
    // People complain days after they got something.
    const since = new Date(now.getTime() - (worst.id === 'complaint_rate' ? complaintWindowMs : dayMs));
    const week = await this.outcomes.hours(pair, new Date(since.getTime() - weekMs), transaction);
    const earlier = week.filter(({ hour }) => hour < since);
    return {
      rates,
      earlier: ratesOver(earlier, this.rules.settings).map(({ id, count, of, percent }) => ({
        id,
        count,
        of,
        percent,
      })),
      replies: await this.outcomes.replies(pair, since, transaction),
      cause: causeOf(await this.outcomes.lookedAt(pair, worst.id, since, transaction)),
    };
  }
}

const everything: EvidenceStart = { from: new Date(0), before: noOutcomes };

const bare = (rates: readonly RateEvidence[]): ChangeEvidence => ({
  rates,
  earlier: [],
  replies: [],
  cause: undefined,
});

function paceOf(hours: readonly OutcomeHour[], now: Date): number {
  return Math.max(minPace, Math.ceil(busiestHour(hours, now) * slowedPart));
}

function isRelapse(before: GuardState | undefined, now: Date): boolean {
  return before?.liftedAt !== undefined && now.getTime() - before.liftedAt.getTime() < relapseMs;
}
