import { GuardStep, limitedSteps } from './guard-steps.js';

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
