import { Injectable } from '@nestjs/common';
import { Counts, storedCounts } from '../domain/metric.js';
import { maxRowsOf, MetricsRequest, TooManyPeriodsError, TooManyRowsError } from '../domain/metrics-request.js';
import { periodsBetween } from '../domain/periods.js';
import { CountedEvents, CountedRow, EmailCounters } from './ports/email-counters.port.js';

const noCounts = Object.fromEntries(storedCounts.map((name) => [name, 0])) as Counts;

/** Counts the events of a team's emails in a range of time, in total and by the requested dimensions. */
@Injectable()
export class EmailMetrics {
  constructor(private readonly counters: EmailCounters) {}

  async count(teamId: string, request: MetricsRequest): Promise<CountedEvents> {
    const maxRows = maxRowsOf(request);
    const periods = this.periodsOf(request, maxRows);
    const counted = await this.counters.read(teamId, request, maxRows);
    if (counted.rows.length > maxRows) throw new TooManyRowsError(maxRows);
    return withAllPeriods(counted, request, periods);
  }

  private periodsOf(
    { start, end, granularity, timeZone, dimensions }: MetricsRequest,
    maxPeriods: number,
  ): readonly string[] {
    if (!dimensions.includes('period')) return [];
    const periods = periodsBetween(start, end, granularity, timeZone, maxPeriods);
    if (periods === undefined) throw new TooManyPeriodsError(maxPeriods);
    return periods;
  }
}

/**
 * Adds empty rows, so that a chart by period has a row for each period. With further dimensions only rows with events are
 * returned.
 */
function withAllPeriods(
  { totals, rows }: CountedEvents,
  { dimensions }: MetricsRequest,
  periods: readonly string[],
): CountedEvents {
  if (dimensions.length !== 1 || dimensions[0] !== 'period') return { totals, rows };
  const known = new Map(rows.map((row) => [row.period, row]));
  const empty = periods
    .filter((period) => !known.has(period))
    .map((period): CountedRow => ({ period, counts: noCounts }));
  const all = [...rows, ...empty].sort((a, b) => ((a.period ?? '') < (b.period ?? '') ? -1 : 1));
  return { totals, rows: all };
}
