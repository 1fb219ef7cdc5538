import { RateEvidence, worstOf } from './evidence.js';
import { GuardSettings, GuardStep, levelOf, stepAt } from './guard-limits.js';

/** `evidence`: rates call for a further step. `recovery`: they are low again. `time`: too little mail to tell, for a day. */
export type ChangeReason = 'evidence' | 'recovery' | 'time' | 'lifted';

export interface GuardDecision {
  readonly step: GuardStep;
  readonly because: ChangeReason;
}

/** Mail that was under way at a change is not held against what follows: nothing is judged within this time. */
export const settleMs = 60_000;
/** A step holds at least so long before it is taken back. */
export const minHoldMs = 30 * 60_000;
/** After this time without enough mail to judge, the guard tries the step before. */
export const untestedMs = 24 * 3_600_000;

export interface DecidedState {
  readonly step: GuardStep;
  readonly since: Date;
}

/**
 * The next step, from what happened since the present one began. Undefined: it stays.
 *
 * - Further: as far as the worst rate calls for, but past `bulk_paused` only step by step, each with new evidence.
 * - Back, by one step: when every rate is below its limit for a warning, or when for a day there was too little mail to tell.
 */
export function decide(
  { step, since }: DecidedState,
  rates: readonly RateEvidence[],
  volume: number,
  now: Date,
  settings: GuardSettings,
): GuardDecision | undefined {
  const further = furthest(step, worstOf(rates), settings);
  if (levelOf(further) > levelOf(step)) return { step: further, because: 'evidence' };
  const heldMs = now.getTime() - since.getTime();
  if (step === 'none' || heldMs < minHoldMs) return undefined;
  const before = stepAt(levelOf(step) - 1);
  if (volume < settings.minVolume) return heldMs >= untestedMs ? { step: before, because: 'time' } : undefined;
  const isLow = rates.every(({ id, percent, of }) => of === 0 || percent < (settings.limits[id][0] ?? 100));
  return isLow ? { step: before, because: 'recovery' } : undefined;
}

function furthest(step: GuardStep, worst: GuardStep, { mode }: GuardSettings): GuardStep {
  if (mode === 'off') return 'none';
  const level = levelOf(step);
  const most = mode === 'warn' ? levelOf('warned') : Math.max(levelOf('bulk_paused'), level + 1);
  return stepAt(Math.min(levelOf(worst), most));
}
