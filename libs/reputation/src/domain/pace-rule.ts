/** What limits mail of a paced lane in a period of time. */
export interface PaceRule {
  /** Under which it is counted. */
  readonly name: string;
  /** Number of the period. It only grows. */
  readonly period: number;
  /** Messages that may go in the period. */
  readonly cap: number;
  /** When more may go; null if nobody knows. */
  readonly nextAt: Date | null;
}

/** An hour is cut into parts, so that its messages do not all go at once. */
const partsOfHour = 12;
const partMs = 3_600_000 / partsOfHour;

/** So many messages an hour, spread over it. */
export function hourlyRule(name: string, perHour: number, now: Date): PaceRule {
  const period = Math.floor(now.getTime() / partMs);
  const cap = perHour === 0 ? 0 : Math.max(1, Math.floor(perHour / partsOfHour));
  return { name, period, cap, nextAt: perHour === 0 ? null : new Date((period + 1) * partMs) };
}
