import { isIP } from 'node:net';
import { Page, pageOf, PageRequest, ValidationError } from '#kernel';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  DmarcTotals,
  OwnMarks,
  ReportPeriod,
  ReportStatistics,
  TlsResult,
  TlsTotals,
} from '../../application/ports/report-statistics.port.js';
import { PublishedPolicy } from '../../domain/report.js';
import { SourceCounts } from '../../domain/sender.js';
import { sourcesStatement, tlsResultsStatement } from './statistics-statements.js';

const maxReporters = 50;

type Row = Record<string, unknown>;

@Injectable()
export class PostgresReportStatistics extends ReportStatistics {
  constructor(private readonly database: Database) {
    super();
  }

  async dmarcTotals(period: ReportPeriod): Promise<DmarcTotals> {
    const values = [period.domainId, period.from, period.to];
    const [[totals], reporters] = await Promise.all([
      this.database.query<Record<'messages' | 'aligned' | 'quarantined' | 'rejected' | 'sources' | 'days', string>>({
        text: `SELECT coalesce(sum(messages), 0) AS messages,
                      coalesce(sum(messages) FILTER (WHERE dkim_aligned OR spf_aligned), 0) AS aligned,
                      coalesce(sum(messages) FILTER (WHERE disposition = 'quarantine'), 0) AS quarantined,
                      coalesce(sum(messages) FILTER (WHERE disposition = 'reject'), 0) AS rejected,
                      count(DISTINCT source) AS sources, count(DISTINCT day) AS days
               FROM dmarc_counts WHERE domain_id = $1 AND day >= $2 AND day < $3`,
        values,
      }),
      this.database.query<{ reporter: string; messages: string; lastDay: string }>({
        text: `SELECT reporter, sum(messages) AS messages, max(day)::text AS "lastDay"
               FROM dmarc_counts WHERE domain_id = $1 AND day >= $2 AND day < $3
               GROUP BY reporter ORDER BY sum(messages) DESC, reporter LIMIT ${maxReporters}`,
        values,
      }),
    ]);
    return {
      messages: Number(totals?.messages),
      aligned: Number(totals?.aligned),
      quarantined: Number(totals?.quarantined),
      rejected: Number(totals?.rejected),
      sources: Number(totals?.sources),
      days: Number(totals?.days),
      reporters: reporters.map((row) => ({ ...row, messages: Number(row.messages) })),
    };
  }

  async sources(period: ReportPeriod, marks: OwnMarks, page: PageRequest): Promise<Page<SourceCounts>> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && cursor !== 'others' && isIP(cursor) === 0) throw new ValidationError(notAnItem);
    const rows = await this.database.query<Row>(sourcesStatement(period, marks, page));
    return pageOf(
      page,
      rows.map((row) => numbersIn<SourceCounts>(row)),
    );
  }

  async lastPolicy(domainId: string): Promise<{ readonly policy: PublishedPolicy; readonly seenAt: Date } | undefined> {
    const [row] = await this.database.query<{ policy: PublishedPolicy; seenAt: Date }>({
      text: `SELECT policy, ends_at AS "seenAt" FROM domain_reports
             WHERE domain_id = $1 AND kind = 'dmarc' AND reporter IS NOT NULL ORDER BY id DESC LIMIT 1`,
      values: [domainId],
    });
    return row;
  }

  async tlsTotals({ domainId, from, to }: ReportPeriod): Promise<TlsTotals> {
    const [row] = await this.database.query<Record<keyof TlsTotals, string>>({
      text: `SELECT coalesce(sum(sessions) FILTER (WHERE result = 'success'), 0) AS succeeded,
                    coalesce(sum(sessions) FILTER (WHERE result <> 'success'), 0) AS failed,
                    count(DISTINCT reporter) AS reporters
             FROM tls_counts WHERE domain_id = $1 AND day >= $2 AND day < $3`,
      values: [domainId, from, to],
    });
    return { succeeded: Number(row?.succeeded), failed: Number(row?.failed), reporters: Number(row?.reporters) };
  }

  async tlsResults(period: ReportPeriod, page: PageRequest): Promise<Page<TlsResult>> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && !/^[0-9a-f]{32}$/.test(cursor)) throw new ValidationError(notAnItem);
    const rows = await this.database.query<Row>(tlsResultsStatement(period, page));
    return pageOf(
      page,
      rows.map((row) => numbersIn<TlsResult>(row)),
    );
  }
}

const notAnItem = 'The cursor must be the id of an item of the list.';

/** PostgreSQL returns sums as text. The sums of a period are far below 2^53. */
function numbersIn<Result>(row: Row): Result {
  const isSum = (name: string, value: unknown): boolean =>
    typeof value === 'string' && !textColumns.has(name) && /^\d+$/.test(value);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isSum(name, value) ? Number(value) : value]),
  ) as Result;
}

const textColumns = new Set(['id', 'source', 'policyType', 'policyDomain', 'result', 'mx', 'firstDay', 'lastDay']);
