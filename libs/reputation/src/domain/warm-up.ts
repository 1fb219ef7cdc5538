/**
 * The warm-up of a new sending domain: how much of its mail may go to a mailbox provider on each day of a ramp, and in each hour of the day.
 * Hours are numbered from 1970 on in UTC, and days are those of UTC, as the counters of insights have them.
 */

/**
 * Messages of each day to a provider: the schedule "Moderate" of Braze, "recommended for most senders". See docs/reputation.md for the
 * document.
 */
export const defaultSchedule: readonly number[] = [
  50, 100, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 25_000, 35_000, 50_000, 75_000, 100_000, 150_000, 200_000, 275_000,
  375_000, 500_000, 650_000, 825_000, 1_000_000,
];

/** Days that a schedule may have. */
export const maxSteps = 90;
/** Messages that a day of a schedule may have. */
export const maxPerDay = 10_000_000;

const hourMs = 3_600_000;
const hoursOfDay = 24;
const hourlyPart = 0.1;
const minHourly = 10;
/** Below this part of the limit a day says nothing about more mail. */
const usedPart = 0.5;
/** Messages of a day that may be deferred or refused as spam, in percent. */
export const maxBadPercent = 5;
/** A provider whose limit was not half used for this time does not keep a warm-up from ending. */
export const quietDays = 14;
/** Number of slowed days in a row after which the team is told. */
export const toldAfterDays = 2;

export const dayDecisions = ['advanced', 'too_little_mail', 'slowed'] as const;
export type DayDecision = (typeof dayDecisions)[number];

/** The last day that was counted, and what followed. */
export interface EndedDay {
  readonly limit: number;
  readonly sent: number;
  /** Messages that were deferred, or refused as spam. */
  readonly bad: number;
  readonly decision: DayDecision;
  /** Days running that were slowed, this one included; absent if it was not. */
  readonly slowedDays?: number;
}

/** Where the ramp of a provider is, and what went. */
export interface Ramp {
  /** Index in the schedule. */
  readonly step: number;
  readonly isDone: boolean;
  /** The hour that is counted. */
  readonly hour: number;
  readonly hourSent: number;
  readonly daySent: number;
  /** The last day on which at least half of the limit was used. */
  readonly busyDay: number | null;
  readonly lastDay: EndedDay | null;
}

export const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMs);
export const dayOfHour = (hour: number): number => Math.floor(hour / hoursOfDay);
export const startOfHour = (hour: number): Date => new Date(hour * hourMs);
export const startOfDay = (day: number): Date => startOfHour(day * hoursOfDay);

export const newRamp = (hour: number): Ramp => ({
  step: 0,
  isDone: false,
  hour,
  hourSent: 0,
  daySent: 0,
  busyDay: null,
  lastDay: null,
});

export function limitOf({ step }: Pick<Ramp, 'step'>, schedule: readonly number[]): number {
  return schedule[Math.min(step, schedule.length - 1)] ?? 0;
}

/** Messages that may go in an hour of a day with this limit. */
export function hourlyLimit(limit: number): number {
  return Math.min(limit, Math.max(minHourly, Math.ceil(limit * hourlyPart)));
}

/**
 * The ramp in this hour. A clock that was set back gives nothing twice: what goes is counted in the hour that it had reached. If it was set
 * back by more than a day, counting goes on from its new time, so that mail does not wait until then, and what went stays counted.
 *
 * @param bad messages of the day that is counted which were deferred or refused as spam
 */
export function rampAt(ramp: Ramp, schedule: readonly number[], hour: number, bad: number): Ramp {
  if (hour < ramp.hour - hoursOfDay) return { ...ramp, hour };
  if (hour <= ramp.hour) return ramp;
  if (dayOfHour(hour) === dayOfHour(ramp.hour)) return { ...ramp, hour, hourSent: 0 };
  const limit = limitOf(ramp, schedule);
  const decision = decisionOf(ramp.daySent, bad, limit);
  const isLast = ramp.step >= schedule.length - 1;
  return {
    step: decision === 'advanced' && !isLast ? ramp.step + 1 : ramp.step,
    isDone: ramp.isDone || (decision === 'advanced' && isLast),
    hour,
    hourSent: 0,
    daySent: 0,
    busyDay: ramp.busyDay,
    lastDay: { limit, sent: ramp.daySent, bad, decision, ...slowedDays(decision, ramp.lastDay) },
  };
}

/** Messages that may go now. */
export function leftOf(ramp: Ramp, schedule: readonly number[]): number {
  const limit = limitOf(ramp, schedule);
  return Math.max(0, Math.min(limit - ramp.daySent, hourlyLimit(limit) - ramp.hourSent));
}

export function withSent(ramp: Ramp, schedule: readonly number[], count: number): Ramp {
  const daySent = ramp.daySent + count;
  const isBusy = isUsed(daySent, limitOf(ramp, schedule));
  return {
    ...ramp,
    hourSent: ramp.hourSent + count,
    daySent,
    busyDay: isBusy ? dayOfHour(ramp.hour) : ramp.busyDay,
  };
}

/** When more may go of mail that may not go now: in the next hour, or on the next day. */
export function nextAt(ramp: Ramp, schedule: readonly number[]): Date {
  const isDaySpent = ramp.daySent >= limitOf(ramp, schedule);
  return isDaySpent ? startOfDay(dayOfHour(ramp.hour) + 1) : startOfHour(ramp.hour + 1);
}

/** When the ramp ends, if from now on every day advances it; null if it has ended. */
export function projectedEnd(ramp: Ramp, schedule: readonly number[]): Date | null {
  if (ramp.isDone) return null;
  return startOfDay(dayOfHour(ramp.hour) + schedule.length - Math.min(ramp.step, schedule.length - 1));
}

export const badPercent = ({ bad, sent }: Pick<EndedDay, 'bad' | 'sent'>): number =>
  sent === 0 ? 0 : Math.min(100, (bad / sent) * 100);

const isUsed = (sent: number, limit: number): boolean => sent >= limit * usedPart;

const slowedDays = (decision: DayDecision, before: EndedDay | null): Pick<EndedDay, 'slowedDays'> =>
  decision === 'slowed' ? { slowedDays: (before?.slowedDays ?? 0) + 1 } : {};

function decisionOf(sent: number, bad: number, limit: number): DayDecision {
  if (!isUsed(sent, limit)) return 'too_little_mail';
  return badPercent({ bad, sent }) > maxBadPercent ? 'slowed' : 'advanced';
}
