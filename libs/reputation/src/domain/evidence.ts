import { wilsonInterval } from '#kernel';
import { GuardedRate, GuardSettings, GuardStep, levelOf, minCounts, stepFor } from './guard-limits.js';

/** What became of mail in an hour. Complaints belong to the hour of their delivery. */
export interface OutcomeHour {
  readonly hour: Date;
  readonly delivered: number;
  readonly deferred: number;
  readonly bounced: number;
  readonly badAddresses: number;
  readonly refusedAsSpam: number;
  readonly complained: number;
}

export type OutcomeCounts = Omit<OutcomeHour, 'hour'>;

export const noOutcomes: OutcomeCounts = {
  delivered: 0,
  deferred: 0,
  bounced: 0,
  badAddresses: 0,
  refusedAsSpam: 0,
  complained: 0,
};

/** A rate as it was measured, and what follows from it. */
export interface RateEvidence {
  readonly id: GuardedRate;
  readonly count: number;
  readonly of: number;
  /** In percent. */
  readonly percent: number;
  /** The share that it is at least, with 95 % certainty. This is what is compared with the limits. */
  readonly atLeast: number;
  readonly step: GuardStep;
  /** The limit of that step; null for `none`. */
  readonly limit: number | null;
}

const hourMs = 3_600_000;
/** What bounces or is refused does so at once. */
const bounceWindowMs = 24 * hourMs;
/** People complain when they read. */
export const complaintWindowMs = 72 * hourMs;

/** From when on outcomes count, and how many of that hour had been counted before. */
export interface EvidenceStart {
  readonly from: Date;
  readonly before: OutcomeCounts;
}

/** The outcomes that count: those of the window, since the start. */
export function measuredRates(
  hours: readonly OutcomeHour[],
  start: EvidenceStart | undefined,
  now: Date,
  settings: GuardSettings,
): readonly RateEvidence[] {
  const complaints = sumOf(hours, start, now, complaintWindowMs);
  const bounces = sumOf(hours, start, now, bounceWindowMs);
  const measured = (id: GuardedRate, count: number, of: number): RateEvidence => rateOf(id, count, of, settings);
  return [
    measured('complaint_rate', complaints.complained, complaints.delivered),
    measured('bad_address_rate', bounces.badAddresses, bounces.delivered + bounces.bounced),
    measured('spam_refusal_rate', bounces.refusedAsSpam, bounces.delivered + bounces.bounced + bounces.deferred),
  ];
}

/** The same rates over all of these hours. */
export function ratesOver(hours: readonly OutcomeHour[], settings: GuardSettings): readonly RateEvidence[] {
  const last = Math.max(0, ...hours.map(({ hour }) => hour.getTime()));
  const together = hours.map((of) => ({ ...of, hour: new Date(last) }));
  return measuredRates(together, undefined, new Date(last), settings);
}

/** Messages with an outcome in the window, since the start. */
export function volumeOf(hours: readonly OutcomeHour[], start: EvidenceStart | undefined, now: Date): number {
  const { delivered, bounced, deferred } = sumOf(hours, start, now, bounceWindowMs);
  return delivered + bounced + deferred;
}

export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** The busiest hour of the last day. */
export function busiestHour(hours: readonly OutcomeHour[], now: Date): number {
  const recent = hours.filter(({ hour }) => hour.getTime() > now.getTime() - bounceWindowMs);
  return Math.max(0, ...recent.map(({ delivered, bounced, deferred }) => delivered + bounced + deferred));
}

/** The counts of the hour of a moment: what was counted before it. */
export function countsBefore(hours: readonly OutcomeHour[], at: Date): OutcomeCounts {
  const found = hours.find(({ hour }) => hour.getTime() === hourOf(at).getTime());
  if (found === undefined) return noOutcomes;
  const { hour: _hour, ...counts } = found;
  return counts;
}

export function worstOf(rates: readonly RateEvidence[]): GuardStep {
  return rates.reduce<GuardStep>((worst, { step }) => (levelOf(step) > levelOf(worst) ? step : worst), 'none');
}

function rateOf(id: GuardedRate, count: number, of: number, { limits, minVolume }: GuardSettings): RateEvidence {
  const percent = of === 0 ? 0 : Math.min(100, (count / of) * 100);
  const atLeast = wilsonInterval(count, of).lower * 100;
  const says = of >= minVolume && count >= minCounts[id];
  const step = says ? stepFor(atLeast, limits[id]) : 'none';
  return {
    id,
    count,
    of,
    percent,
    atLeast,
    step,
    limit: step === 'none' ? null : (limits[id][levelOf(step) - 1] ?? null),
  };
}

function sumOf(
  hours: readonly OutcomeHour[],
  start: EvidenceStart | undefined,
  now: Date,
  windowMs: number,
): OutcomeCounts {
  const first = Math.max(now.getTime() - windowMs, start === undefined ? 0 : hourOf(start.from).getTime());
  const counted = hours.filter(({ hour }) => hour.getTime() >= hourOf(new Date(first)).getTime());
  const sum = (of: keyof OutcomeCounts): number => {
    const all = counted.reduce((total, hour) => total + hour[of], 0);
    const isWithin = start !== undefined && hourOf(start.from).getTime() >= hourOf(new Date(first)).getTime();
    return Math.max(0, all - (isWithin ? start.before[of] : 0));
  };
  return {
    delivered: sum('delivered'),
    deferred: sum('deferred'),
    bounced: sum('bounced'),
    badAddresses: sum('badAddresses'),
    refusedAsSpam: sum('refusedAsSpam'),
    complained: sum('complained'),
  };
}
