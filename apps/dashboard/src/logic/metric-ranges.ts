export type Granularity = 'hourly' | 'daily' | 'weekly' | 'monthly';

export interface MetricRange {
  readonly id: string;
  readonly hours: number;
  readonly granularity: Granularity;
}

/** The ranges to choose from. */
export const metricRanges: readonly MetricRange[] = [
  { id: 'day', hours: 24, granularity: 'hourly' },
  { id: 'week', hours: 7 * 24, granularity: 'daily' },
  { id: 'month', hours: 30 * 24, granularity: 'daily' },
  { id: 'quarter', hours: 90 * 24, granularity: 'weekly' },
  { id: 'year', hours: 365 * 24, granularity: 'monthly' },
];

export function rangeOf(id: string | undefined): MetricRange {
  return metricRanges.find((range) => range.id === id) ?? (metricRanges[1] as MetricRange);
}

/** The first moment of a period, and the first after it, as the API takes them. A period is a date or an ISO moment. */
export function boundsOfPeriod(
  period: string,
  granularity: Granularity,
): { readonly from: string; readonly to: string } {
  const from = new Date(period.includes('T') ? period : `${period}T00:00:00Z`);
  const to = new Date(from);
  switch (granularity) {
    case 'hourly':
      to.setUTCHours(to.getUTCHours() + 1);
      break;
    case 'daily':
      to.setUTCDate(to.getUTCDate() + 1);
      break;
    case 'weekly':
      to.setUTCDate(to.getUTCDate() + 7);
      break;
    case 'monthly':
      to.setUTCMonth(to.getUTCMonth() + 1);
      break;
  }
  return { from: from.toISOString(), to: to.toISOString() };
}

/** A period on an axis: "14:00", "22 Nov", "Nov 2026". */
export function periodLabel(period: string, granularity: Granularity, language: string, timeZone: string): string {
  const options: Intl.DateTimeFormatOptions =
    granularity === 'hourly'
      ? { hour: '2-digit', minute: '2-digit', timeZone }
      : granularity === 'monthly'
        ? { month: 'short', year: 'numeric', timeZone: 'UTC' }
        : { day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(language, options).format(
    new Date(period.includes('T') ? period : `${period}T00:00:00Z`),
  );
}
