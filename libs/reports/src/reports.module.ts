import { DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { InboundModule } from '#inbound';
import { Module } from '@nestjs/common';
import { ListReports, ReportSummaries } from './application/domain-reports.query.js';
import { OwnAddresses, ReportStatistics } from './application/ports/report-statistics.port.js';
import { ReportLog, ReportReader } from './application/ports/report-log.port.js';
import { ReadDmarc } from './application/read-dmarc.query.js';
import { ReadTlsReports } from './application/read-tls-reports.query.js';
import { ReceiveReport } from './application/receive-report.use-case.js';
import { ReportMailbox } from './application/report-mailbox.js';
import { ConfiguredOwnAddresses } from './infrastructure/configured-own-addresses.js';
import { DomainReportsController } from './infrastructure/http/domain-reports.controller.js';
import { PostgresReportLog } from './infrastructure/persistence/postgres-report-log.js';
import { PostgresReportStatistics } from './infrastructure/persistence/postgres-report-statistics.js';
import { ReportsPurge } from './infrastructure/persistence/reports-purge.js';
import { ThreadedReportReader } from './infrastructure/threaded-report-reader.js';

/** Takes reports about domains that come by mail. */
@Module({
  imports: [DomainsModule, InboundModule],
  providers: [
    { provide: ReportReader, useClass: ThreadedReportReader },
    { provide: ReportLog, useClass: PostgresReportLog },
    ReceiveReport,
    ReportMailbox,
  ],
})
export class ReportsModule {}

/** What the reports say, over HTTP. */
@Module({
  imports: [DomainsModule, IdentityModule],
  controllers: [DomainReportsController],
  providers: [
    { provide: ReportLog, useClass: PostgresReportLog },
    { provide: ReportStatistics, useClass: PostgresReportStatistics },
    { provide: OwnAddresses, useClass: ConfiguredOwnAddresses },
    ListReports,
    ReadDmarc,
    ReadTlsReports,
    ReportSummaries,
  ],
  exports: [ReportSummaries],
})
export class ReportsHttpModule {}

/** Removes old reports. */
@Module({ providers: [ReportsPurge] })
export class ReportsWorkerModule {}
