import { AudienceModule } from '#audience';
import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { FeedbackMail } from '#smtp';
import { mailShare } from '#postgres/database';
import { SuppressionsModule } from '#suppressions';
import { UnsubscribeModule } from '#unsubscribe';
import { Global, Module } from '@nestjs/common';
import { ApplyReport } from './application/apply-report.js';
import { FeedbackAddresses, ReceiveFeedback } from './application/receive-feedback.use-case.js';
import { MarkAudience } from './application/mark-audience.use-case.js';
import { MailReportReader, RefusedRecipients, Reports } from './application/ports/reports.port.js';
import {
  PostgresRefusedRecipients,
  PostgresReports,
  ReportsData,
} from './infrastructure/persistence/postgres-reports.js';
import { AudienceMarksWorker } from './infrastructure/worker/audience-marks-worker.js';
import { ThreadedMailReportReader } from './infrastructure/threaded-report-reader.js';

/**
 * Receives bounces, complaints and wishes to unsubscribe by mail. Global, because the SMTP listeners inject a
 * `FeedbackMail`.
 */
// oxlint-disable-next-line house/global-module -- provides the `FeedbackMail` of the SMTP listeners
@Global()
@Module({
  imports: [DomainsModule, EmailsModule, SuppressionsModule, UnsubscribeModule],
  providers: [
    mailShare,
    { provide: MailReportReader, useClass: ThreadedMailReportReader },
    { provide: Reports, useClass: PostgresReports },
    { provide: FeedbackMail, useClass: ReceiveFeedback },
    ApplyReport,
    FeedbackAddresses,
  ],
  exports: [FeedbackMail],
})
export class FeedbackModule {}

/** What the reports hold about people. For every process. */
@Module({ providers: [ReportsData] })
export class FeedbackDataModule {}

/** Marks contacts from the events of emails. */
@Module({
  imports: [AudienceModule],
  providers: [{ provide: RefusedRecipients, useClass: PostgresRefusedRecipients }, MarkAudience, AudienceMarksWorker],
})
export class FeedbackWorkerModule {}
