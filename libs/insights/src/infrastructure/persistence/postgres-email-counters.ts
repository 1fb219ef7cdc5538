import { Database, longLimits, ReadDatabase } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { CountedEvents, CountedRow, EmailCounters } from '../../application/ports/email-counters.port.js';
import { Counts, storedCounts } from '../../domain/metric.js';
import { MetricsRequest, UnknownTimeZoneError } from '../../domain/metrics-request.js';
import { countsStatement, deleteStatement, mergeShardsStatement } from './counts-statement.js';

type Row = Counts & {
  readonly isTotal: boolean;
  readonly period: string | Date | null;
  readonly domainId: string | null;
  readonly domainName: string | null;
  readonly emailId: string | null;
  readonly broadcastId: string | null;
  readonly broadcastName: string | null;
};

/** SQLSTATE invalid_parameter_value: a zone that the JavaScript engine knows but PostgreSQL does not. */
const unknownZone = '22023';

@Injectable()
export class PostgresEmailCounters extends EmailCounters {
  constructor(
    private readonly database: Database,
    private readonly reads: ReadDatabase,
  ) {
    super();
  }

  async read(teamId: string, request: MetricsRequest, limit: number): Promise<CountedEvents> {
    const rows = await this.query(teamId, request, limit);
    const total = rows.find(({ isTotal }) => isTotal);
    return { totals: countsOf(total), rows: rows.filter(({ isTotal }) => !isTotal).map(rowOf) };
  }

  async compact(mergeBefore: Date, deleteBefore: Date): Promise<void> {
    await this.database.execute({ ...mergeShardsStatement(mergeBefore), limits: longLimits });
    await this.database.execute({ ...deleteStatement(deleteBefore), limits: longLimits });
  }

  private async query(teamId: string, request: MetricsRequest, limit: number): Promise<Row[]> {
    try {
      return await this.reads.query<Row>(countsStatement(teamId, request, limit));
    } catch (error) {
      if ((error as { code?: string }).code === unknownZone) throw new UnknownTimeZoneError();
      throw error;
    }
  }
}

function countsOf(row: Row | undefined): Counts {
  return Object.fromEntries(storedCounts.map((name) => [name, row?.[name] ?? 0])) as Counts;
}

function rowOf(row: Row): CountedRow {
  const { period, domainId, domainName, emailId, broadcastId, broadcastName } = row;
  return {
    ...(period === null ? {} : { period: period instanceof Date ? period.toISOString() : period }),
    ...(domainId === null ? {} : { domainId, domainName }),
    ...(emailId === null ? {} : { emailId }),
    ...(broadcastId === null ? {} : { broadcastId, broadcastName }),
    counts: countsOf(row),
  };
}
