import { Injectable } from '@nestjs/common';
import { Counts, storedCounts } from '../domain/metric.js';
import { TooManyPeriodsError, TooManyRowsError } from '../domain/metrics-errors.js';
import { MetricsRequest, maxRows } from '../domain/metrics-request.js';
import { periodsBetween } from '../domain/periods.js';
import { CountedEvents, CountedRow, EmailCounters } from './ports/email-counters.port.js';

const nothing = Object.fromEntries(storedCounts.map((name) => [name, 0])) as Counts;

/** What happened to a team's email in a range of time, and of what it is made up. */
@Injectable()
export class ReadMetrics {
  constructor(private readonly counters: EmailCounters) {}

  async execute(teamId: string, request: MetricsRequest): Promise<CountedEvents> {
    const periods = this.periodsOf(request);
    // There are no broadcasts yet: none of what was counted belongs to one.
    if (request.broadcastIds !== undefined) return withAllPeriods({ totals: nothing, rows: [] }, request, periods);
    const counted = await this.counters.read(teamId, request, maxRows);
    if (counted.rows.length > maxRows) throw new TooManyRowsError();
    return withAllPeriods(counted, request, periods);
  }

  private periodsOf({ start, end, granularity, timeZone, dimensions }: MetricsRequest): readonly string[] {
    if (!dimensions.includes('period')) return [];
    const periods = periodsBetween(start, end, granularity, timeZone, maxRows);
    if (periods === undefined) throw new TooManyPeriodsError();
    return periods;
  }
}

/** One row per period also where nothing happened, for whoever draws a line; joint rows are only those that exist. */
function withAllPeriods(
  { totals, rows }: CountedEvents,
  { dimensions }: MetricsRequest,
  periods: readonly string[],
): CountedEvents {
  if (dimensions.includes('broadcast')) return { totals, rows: [] };
  if (dimensions.length !== 1 || dimensions[0] !== 'period') return { totals, rows };
  const known = new Map(rows.map((row) => [row.period, row]));
  const empty = periods
    .filter((period) => !known.has(period))
    .map((period): CountedRow => ({ period, counts: nothing }));
  const all = [...rows, ...empty].sort((a, b) => ((a.period ?? '') < (b.period ?? '') ? -1 : 1));
  return { totals, rows: all };
}
