import { Clock, newId, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { causeOf } from '../domain/cause.js';
import {
  busiestHour,
  complaintWindowMs,
  countsBefore,
  measuredRates,
  OutcomeHour,
  RateEvidence,
  ratesOver,
  volumeOf,
} from '../domain/evidence.js';
import { decide, GuardDecision } from '../domain/guard-decision.js';
import { ChangeEvidence, GuardedPair, GuardState } from '../domain/guard-state.js';
import { levelOf } from '../domain/guard-steps.js';
import { AnnounceChange } from './announce-change.js';
import { GuardedOutcomes } from './ports/guarded-outcomes.port.js';
import { GuardRules } from './ports/guard-rules.port.js';
import { GuardStates, PairToLookAt } from './ports/guard-states.port.js';

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
  // eslint-disable-next-line max-params -- One story: what is known, what is decided, and who is told.
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
    const rates = measuredRates(hours, state?.start, now, settings);
    const volume = volumeOf(hours, state?.start, now);
    const present = { step: state?.step ?? 'none', since: state?.since ?? now };
    const decision = decide(present, rates, volume, now, settings);
    if (decision !== undefined) return this.change(pair, state, decision, { hours, rates, now }, transaction);
    if (state !== undefined) await this.states.postpone(pair, new Date(now.getTime() + everyMs), transaction);
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
    const state: GuardState = {
      ...pair,
      step,
      since: now,
      start: { from: now, before: countsBefore(hours, now) },
      slowPace: levelOf(from) < levelOf('bulk_slowed') ? paceOf(hours, now) : (before?.slowPace ?? minPace),
      evidence,
      liftedAt: before?.liftedAt,
      isLocked: step !== 'none' && (before?.isLocked === true || isRelapse(before, now)),
    };
    const change = { ...pair, id: newId(now.getTime()), from, to: step, because, evidence };
    const written = { ...change, actor: { kind: 'service' } as const, createdAt: now };
    await this.states.save(state, written, new Date(now.getTime() + everyMs), transaction);
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
