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
