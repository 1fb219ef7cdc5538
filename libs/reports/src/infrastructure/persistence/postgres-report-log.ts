import { idsOfDay, Page, pageOf, PageRequest } from '#kernel';
import type { ReportKind } from '#domains';
import { Database, DatabaseTransaction, keysetCondition, lockName } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { LoggedReport, NewReport, ReportLog } from '../../application/ports/report-log.port.js';
import { DmarcReport, TlsReport } from '../../domain/report.js';
import { addDmarcCounts, addTlsCounts, digestOf, maxRowsPerDay } from './count-statements.js';
import { withoutReasons, withoutSources } from './count-statements.js';

/** Reports of a domain that came on one day. The eight largest reporters send about forty. */
export const maxReportsPerDay = 1_000;
/** Reports of one reporter about one domain on one day: one an hour for each kind, with room. */
export const maxReportsPerReporter = 100;
/** Reports a day whose reporter is not proven. They count for nothing and are kept only to be seen. */
export const maxUnprovenPerDay = 50;

type Row = Omit<LoggedReport, 'total'> & { readonly total: string } & Record<string, unknown>;

@Injectable()
export class PostgresReportLog extends ReportLog {
  constructor(private readonly database: Database) {
    super();
  }

  add(report: NewReport): Promise<'added' | 'known' | 'too_many'> {
    return this.database.run(async (transaction) => {
      // One report of a domain after the other, so that the limits are exact.
      await lockName(`domain report ${report.domainId}`, transaction);
      if (await this.isKnown(report, transaction)) return 'known';
      if (await this.isBeyondLimits(report, transaction)) return 'too_many';
      await this.insert(report, transaction);
      if (report.reporter !== null) await this.count(report, report.reporter, transaction);
      return 'added';
    });
  }

  async list(domainId: string, page: PageRequest, kind: ReportKind | undefined): Promise<Page<LoggedReport>> {
    const filter = kind === undefined ? [] : [kind];
    const { condition, order, values } = keysetCondition(page, 2 + filter.length);
    const rows = await this.database.query<Row>({
      text: `SELECT id, kind, reporter, organization, report_id AS "reportId", begins_at AS "beginsAt",
                    ends_at AS "endsAt", received_at AS "receivedAt", total, unusable, failure
             FROM domain_reports
             WHERE domain_id = $1 ${kind === undefined ? '' : 'AND kind = $2'} ${condition} ${order}`,
      values: [domainId, ...filter, ...values],
    });
    return pageOf(
      page,
      rows.map((row) => ({ ...row, total: Number(row.total) })),
    );
  }

  private async isKnown(report: NewReport, transaction: DatabaseTransaction): Promise<boolean> {
    const rows = await transaction.query({
      text: 'SELECT 1 FROM domain_reports WHERE domain_id = $1 AND digest = $2',
      values: [report.domainId, reportDigest(report)],
    });
    return rows.length > 0;
  }

  private async isBeyondLimits(report: NewReport, transaction: DatabaseTransaction): Promise<boolean> {
    const [first, end] = idsOfDay(report.receivedAt);
    const [counts] = await transaction.query<{ all: string; same: string }>({
      text: `SELECT count(*) AS all, count(*) FILTER (WHERE reporter IS NOT DISTINCT FROM $4) AS same
             FROM domain_reports WHERE domain_id = $1 AND id >= $2 AND id < $3`,
      values: [report.domainId, first, end, report.reporter],
    });
    const maxSame = report.reporter === null ? maxUnprovenPerDay : maxReportsPerReporter;
    return Number(counts?.same) >= maxSame || Number(counts?.all) >= maxReportsPerDay;
  }

  private async insert(added: NewReport, transaction: DatabaseTransaction): Promise<void> {
    const { report } = added;
    await transaction.execute({
      text: `INSERT INTO domain_reports
               (id, team_id, domain_id, kind, digest, reporter, organization, report_id, begins_at, ends_at, received_at, total,
                unusable, policy, failure)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      values: [
        added.id,
        added.teamId,
        added.domainId,
        report.kind,
        reportDigest(added),
        added.reporter,
        report.organization,
        report.reportId,
        report.beginsAt,
        report.endsAt,
        added.receivedAt,
        totalOf(added),
        report.kind === 'failure' ? 0 : report.unusable,
        report.kind === 'dmarc' ? JSON.stringify(report.policy) : null,
        report.kind === 'failure' ? JSON.stringify(failureOf(report)) : null,
      ],
    });
  }

  private async count(
    { domainId, report }: NewReport,
    reporter: string,
    transaction: DatabaseTransaction,
  ): Promise<void> {
    const owner = { domainId, reporter, day: report.beginsAt.toISOString().slice(0, 10) };
    if (report.kind === 'dmarc') {
      const isFull = await this.hasFullDay('dmarc_counts', owner, report, transaction);
      await transaction.execute(addDmarcCounts(owner, isFull ? withoutSources(report.rows) : report.rows));
    } else if (report.kind === 'tls') {
      const isFull = await this.hasFullDay('tls_counts', owner, report, transaction);
      await transaction.execute(addTlsCounts(owner, isFull ? withoutReasons(report.rows) : report.rows));
    }
  }

  private async hasFullDay(
    table: 'dmarc_counts' | 'tls_counts',
    { domainId, day }: { readonly domainId: string; readonly day: string },
    { rows }: DmarcReport | TlsReport,
    transaction: DatabaseTransaction,
  ): Promise<boolean> {
    const text =
      table === 'dmarc_counts'
        ? 'SELECT count(*) AS count FROM dmarc_counts WHERE domain_id = $1 AND day = $2'
        : 'SELECT count(*) AS count FROM tls_counts WHERE domain_id = $1 AND day = $2';
    const [counted] = await transaction.query<{ count: string }>({ text, values: [domainId, day] });
    return Number(counted?.count) + rows.length > maxRowsPerDay;
  }
}

/** A report is known by what its reporter calls it. Without a proven reporter, by what it says of itself. */
function reportDigest({ reporter, report }: NewReport): Buffer {
  return digestOf(report.kind, reporter, reporter === null ? report.organization : null, report.reportId);
}

function totalOf({ report }: NewReport): number {
  switch (report.kind) {
    case 'dmarc':
      return report.rows.reduce((sum, { messages }) => sum + messages, 0);
    case 'tls':
      return report.rows.reduce((sum, { sessions }) => sum + sessions, 0);
    case 'failure':
      return 1;
  }
}

function failureOf(report: NewReport['report'] & { readonly kind: 'failure' }): object {
  const { headerFrom, source, failure, outcome, dkimDomain } = report;
  return { headerFrom, source, failure, outcome, dkimDomain };
}
