import type { PacedKind } from '#delivery';

/**
 * The steps of the guard, each of which goes further than the one before. Transactional mail is slowed only after bulk mail was paused
 * and what followed is still bad.
 */
export const guardSteps = ['none', 'warned', 'bulk_slowed', 'bulk_paused', 'all_slowed', 'all_paused'] as const;
export type GuardStep = (typeof guardSteps)[number];

/** The steps that a rate can call for. */
export const limitedSteps = guardSteps.slice(1) as readonly Exclude<GuardStep, 'none'>[];

export const levelOf = (step: GuardStep): number => guardSteps.indexOf(step);

export const stepAt = (level: number): GuardStep =>
  guardSteps[Math.min(Math.max(0, level), guardSteps.length - 1)] as GuardStep;

/** How a step restricts mail of one kind: to a number of messages an hour, which may be 0. Undefined: not at all. */
export function restrictionOf(step: GuardStep, kind: PacedKind, slowPace: number): number | undefined {
  const level = levelOf(step);
  if (kind === 'all') {
    if (level < levelOf('all_slowed')) return undefined;
    return step === 'all_paused' ? 0 : slowPace;
  }
  if (level < levelOf('bulk_slowed')) return undefined;
  return step === 'bulk_slowed' ? slowPace : 0;
}

export const guardedRates = ['complaint_rate', 'bad_address_rate', 'spam_refusal_rate'] as const;
export type GuardedRate = (typeof guardedRates)[number];

/** `warn`: changes are told, and no mail is slowed. */
export type GuardMode = 'on' | 'warn' | 'off';

/** From which share on, in percent, a rate calls for each of the steps after `none`, in their order. */
export type StepLimits = readonly number[];

export interface GuardSettings {
  readonly mode: GuardMode;
  /** Fewer messages say nothing. */
  readonly minVolume: number;
  readonly limits: Readonly<Record<GuardedRate, StepLimits>>;
}

/** Fewer of what is counted say nothing, however few the messages are: three complaints may be one angry family. */
export const minCounts: Readonly<Record<GuardedRate, number>> = {
  complaint_rate: 5,
  bad_address_rate: 10,
  spam_refusal_rate: 10,
};

/** The furthest step whose limit this share in percent reaches. */
export function stepFor(percent: number, limits: StepLimits): GuardStep {
  const reached = limits.findLastIndex((limit) => percent >= limit);
  return reached < 0 ? 'none' : (limitedSteps[reached] as GuardStep);
}
