import { dayAfter, dayIn, momentOfWallClock } from './zoned-days.js';

export type Granularity = 'hourly' | 'daily' | 'weekly' | 'monthly';

export interface MetricRange {
  readonly id: string;
  readonly hours: number;
  readonly granularity: Granularity;
}

/** What is shown: from the first moment up to the last; without an end up to now. */
export interface MetricSpan {
  readonly from: string;
  readonly to?: string;
  readonly granularity: Granularity;
}

const hourMs = 3_600_000;

/** The ranges to choose from. */
export const metricRanges: readonly MetricRange[] = [
  { id: 'day', hours: 24, granularity: 'hourly' },
  { id: 'days', hours: 72, granularity: 'hourly' },
  { id: 'week', hours: 7 * 24, granularity: 'daily' },
  { id: 'month', hours: 30 * 24, granularity: 'daily' },
  { id: 'quarter', hours: 90 * 24, granularity: 'weekly' },
  { id: 'year', hours: 365 * 24, granularity: 'monthly' },
];

export function rangeOf(id: string | undefined): MetricRange {
  return metricRanges.find((range) => range.id === id) ?? defaultRange;
}

const defaultRange = metricRanges.find(({ id }) => id === 'week') as MetricRange;

/**
 * The range to begin with: the shortest one that has everything that was sent, so that a new account sees more than one bar.
 * At most a week, and a week where nothing was sent.
 * @param days whole days up to today, the oldest first
 */
export function rangeOfData(days: readonly { readonly sent: number }[]): MetricRange {
  const first = days.findIndex(({ sent }) => sent > 0);
  if (first === -1) return defaultRange;
  const hours = Math.min((days.length - first) * 24, defaultRange.hours);
  return metricRanges.find((range) => range.hours >= hours) ?? defaultRange;
}

/** A range up to now. It begins where a period begins in the zone, so that its first bar is a whole one. */
export function spanOfRange({ hours, granularity }: MetricRange, now: number, timeZone: string): MetricSpan {
  if (granularity === 'hourly') {
    return { from: new Date(Math.floor(now / hourMs - hours + 1) * hourMs).toISOString(), granularity };
  }
  const day = dayAfter(dayIn(new Date(now), timeZone), 1 - hours / 24);
  return { from: momentOfWallClock(firstDay(day, granularity), timeZone).toISOString(), granularity };
}

/** A span that somebody chose; undefined if it is none. Its periods are as fine as they can be told apart. */
export function chosenSpan(from: string | undefined, to: string | undefined): MetricSpan | undefined {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (Number.isNaN(start) || Number.isNaN(end) || start >= end) return undefined;
  const days = (end - start) / hourMs / 24;
  const granularity = days <= 3 ? 'hourly' : days <= 62 ? 'daily' : days <= 370 ? 'weekly' : 'monthly';
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString(), granularity };
}

function firstDay(day: string, granularity: Granularity): string {
  if (granularity === 'monthly') return `${day.slice(0, 7)}-01`;
  if (granularity !== 'weekly') return day;
  // Weeks begin on Monday, as those of the API.
  return dayAfter(day, -((new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7));
}

/**
 * The first moment of a period, and the first after it, as the API takes them. A period is an ISO moment where it is an hour,
 * otherwise a date in the zone.
 */
export function boundsOfPeriod(
  period: string,
  granularity: Granularity,
  timeZone: string,
): { readonly from: string; readonly to: string } {
  if (granularity === 'hourly') {
    const from = new Date(period);
    return { from: from.toISOString(), to: new Date(from.getTime() + hourMs).toISOString() };
  }
  const days = granularity === 'daily' ? 1 : granularity === 'weekly' ? 7 : 31;
  const next = dayAfter(period, days);
  return {
    from: momentOfWallClock(period, timeZone).toISOString(),
    to: momentOfWallClock(granularity === 'monthly' ? `${next.slice(0, 7)}-01` : next, timeZone).toISOString(),
  };
}

const day = { day: 'numeric', month: 'short' } as const;

/** A period on an axis: "14:00" or "2 PM", at midnight "22 Nov"; "22 Nov"; "Nov 2026". */
export function tickLabel(period: string, granularity: Granularity, language: string, timeZone: string): string {
  if (granularity !== 'hourly') return periodLabel(period, granularity, language, timeZone);
  const moment = new Date(period);
  if (hourIn(moment, timeZone) === 0) return new Intl.DateTimeFormat(language, { ...day, timeZone }).format(moment);
  return hour(moment, language, timeZone);
}

/** A period in full, for the tooltip and the table: "22 Nov, 14:00". */
export function periodLabel(period: string, granularity: Granularity, language: string, timeZone: string): string {
  if (granularity === 'hourly') {
    const moment = new Date(period);
    const date = new Intl.DateTimeFormat(language, { ...day, timeZone }).format(moment);
    return `${date}, ${hour(moment, language, timeZone)}`;
  }
  const options: Intl.DateTimeFormatOptions = granularity === 'monthly' ? { month: 'short', year: 'numeric' } : day;
  return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(`${period}T00:00:00Z`));
}

/** "2 PM" if the day is halved, otherwise "14:00". Zones with half hours keep their minutes. */
function hour(moment: Date, language: string, timeZone: string): string {
  const { hour12 } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
  const minutes = new Intl.DateTimeFormat('en', { minute: 'numeric', timeZone }).format(moment);
  const options: Intl.DateTimeFormatOptions =
    hour12 !== true
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { hour: 'numeric', minute: minutes === '0' ? undefined : '2-digit' };
  return new Intl.DateTimeFormat(language, { ...options, timeZone }).format(moment);
}

function hourIn(moment: Date, timeZone: string): number {
  return Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(moment));
}
