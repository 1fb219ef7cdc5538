const hourMs = 3_600_000;
/** How far emails may be ahead of their time: a little more than the interval of the sweeps that send them. */
const aheadMs = 2_000;
/** How much of the time in which nothing was sent may be made up for. */
const catchUpMs = 8_000;

/**
 * The throttle of a broadcast: a leaky bucket whose whole state is one moment, `pacedUntil`, up to which the emails
 * sent so far use up the limit. It is a column of the run of the broadcast, so that it holds over all processes and
 * outlasts each of them.
 *
 * Emails go out in small portions, about once a second. The interval between two emails is a little longer than the
 * limit asks, so that no hour, wherever it begins, has more emails than the limit.
 */
export interface Pace {
  readonly perHour: number;
  /** The moment from which the next emails use up the limit. */
  readonly from: Date;
}

/** @param pacedUntil null before the first email. */
export function paceOf(perHour: number, pacedUntil: Date | null, now: Date): Pace {
  const earliest = now.getTime() - (pacedUntil === null ? 0 : catchUpMs);
  return { perHour, from: new Date(Math.max(earliest, pacedUntil?.getTime() ?? 0)) };
}

/** How many emails may go now; 0: it is not time yet. */
export function emailsNow({ perHour, from }: Pace, now: Date): number {
  const open = now.getTime() + aheadMs - from.getTime();
  return open <= 0 ? 0 : Math.max(1, Math.floor(open / intervalMs(perHour)));
}

/** The state after further emails. */
export function pacedUntil({ perHour, from }: Pace, emails: number): Date {
  return new Date(from.getTime() + Math.ceil(emails * intervalMs(perHour)));
}

/** The moment before which `pacedUntil` must lie for a next email. */
export function paceHorizon(now: Date): Date {
  return new Date(now.getTime() + aheadMs);
}

function intervalMs(perHour: number): number {
  return (hourMs + aheadMs + catchUpMs) / perHour;
}
