import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AudienceModule, RecipientConsents } from '#audience';
import { DomainActivity, DomainsModule } from '#domains';
import { IdempotencyModule } from '#idempotency';
import { IdentityModule } from '#identity';
import { Clock, UnitOfWork } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Database, MailDatabase, mailShare } from '#postgres/database';
import { SuppressedAddresses, SuppressionsModule } from '#suppressions';
import { TemplatesModule } from '#templates';
import { Global, Module } from '@nestjs/common';
import { AcceptEmails } from './application/accept-emails.use-case.js';
import { AuthorizeSender, ComposeEmail } from './application/compose-email.js';
import { ExpandTemplate } from './application/expand-template.js';
import { MimeSpool } from './application/mime-spool.js';
import { AcceptanceObserver, AcceptedEmails, ScheduledEmails } from './application/ports/outbound-queue.port.js';
import { RecentEmails, OutgoingEmails } from './application/outgoing-emails.js';
import { RecipientScreening } from './application/recipient-screening.js';
import { SharedContents } from './application/shared-contents.js';
import { WriteEmails } from './application/write-emails.js';
import { AcceptanceMetrics } from './infrastructure/acceptance-metrics.js';
import {
  PostgresAcceptedEmails,
  PostgresEmailRepository,
} from './infrastructure/persistence/postgres-email-repository.js';
import { ChangeSchedule } from './application/change-schedule.use-case.js';
import { FetchAttachments } from './application/fetch-attachments.use-case.js';
import { ForwardMail } from './application/forward-mail.use-case.js';
import { LinkedAttachments } from './application/linked-attachments.js';
import { AttachmentSource, EmailContents } from './application/ports/email-contents.port.js';
import {
  BouncedAddresses,
  EmailBreakdowns,
  EmailEngagements,
  EmailFinder,
  EmailRepository,
  TeamCounts,
} from './application/ports/email-repository.port.js';
import { BreakdownController } from './infrastructure/http/breakdown.controller.js';
import { PostgresEmailBreakdowns } from './infrastructure/persistence/postgres-email-breakdowns.js';
import { MessageStore, RoomForMail } from './application/ports/message-store.port.js';
import { ReadAttachments } from './application/read-attachments.query.js';
import { PreviewEmail } from './application/preview-email.use-case.js';
import { ReadEmails } from './application/read-emails.query.js';
import { RehearseEmail } from './application/rehearse-email.use-case.js';
import { ReleaseScheduled } from './application/release-scheduled.use-case.js';
import { ScreenWaiting } from './application/screen-waiting.use-case.js';
import { SendInTransaction } from './application/send-in-transaction.use-case.js';
import { SendMailing } from './application/send-mailing.use-case.js';
import { SendShared } from './application/send-shared.use-case.js';
import { WithdrawRecipients } from './application/withdraw-recipients.js';
import { StoredEmailContents } from './infrastructure/contents/stored-email-contents.js';
import { HttpAttachmentSource } from './infrastructure/http-attachment-source.js';
import { EmailAttachmentsController } from './infrastructure/http/email-attachments.controller.js';
import { EmailPreviewController, SharedPreviewController } from './infrastructure/http/email-preview.controller.js';
import { EmailsController, SubmitEmails } from './infrastructure/http/emails.controller.js';
import { LegacySendingController } from './infrastructure/http/legacy-sending.controller.js';
import { UsageController } from './infrastructure/http/usage.controller.js';
import { ShareEmailController } from './infrastructure/http/share-email.controller.js';
import { SharedController } from './infrastructure/http/shared.controller.js';
import { SignedLinks } from './infrastructure/http/signed-links.js';
import { EmailsData, EmailsPurge } from './infrastructure/persistence/emails-data.js';
import { PostgresTeamCounts } from './infrastructure/persistence/postgres-team-counts.js';
import { PostgresBouncedAddresses } from './infrastructure/persistence/postgres-bounced-addresses.js';
import { PostgresDomainActivity } from './infrastructure/persistence/postgres-domain-activity.js';
import { PostgresEmailEngagements } from './infrastructure/persistence/postgres-email-engagements.js';
import { PostgresEmailFinder } from './infrastructure/persistence/postgres-email-finder.js';
import { PostgresScheduledEmails } from './infrastructure/persistence/postgres-scheduled-emails.js';
import { MailDepth } from './domain/mail-depth.js';
import { DirectoryMessageStore } from './infrastructure/storage/directory-message-store.js';
import { DiskRoomForMail } from './infrastructure/storage/disk-room-for-mail.js';
import { PostgresMessageStore } from './infrastructure/storage/postgres-message-store.js';
import { s3LocationFromUrl, S3MessageStore } from './infrastructure/storage/s3-message-store.js';
import { ScheduledEmailsWorker } from './infrastructure/worker/scheduled-emails-worker.js';

/** Accepts emails and records what becomes of them. Needs an `OutboundQueue`, which the delivery lib provides. */
@Module({
  imports: [IdentityModule, DomainsModule, IdempotencyModule, SuppressionsModule, AudienceModule, TemplatesModule],
  providers: [
    mailShare,
    { provide: UnitOfWork, useExisting: MailDatabase },
    { provide: AcceptedEmails, useClass: PostgresAcceptedEmails },
    { provide: AcceptanceObserver, useClass: AcceptanceMetrics },
    { provide: EmailEngagements, useClass: PostgresEmailEngagements },
    { provide: EmailContents, useClass: StoredEmailContents },
    {
      provide: SharedContents,
      inject: [MessageStore],
      useFactory: (store: MessageStore) => new SharedContents(store, () => createHash('sha256')),
    },
    {
      provide: RecentEmails,
      inject: [Config],
      useFactory: (config: Config) => new RecentEmails(config.delivers),
    },
    { provide: EmailRepository, useClass: PostgresEmailRepository },
    { provide: EmailFinder, useClass: PostgresEmailFinder },
    { provide: EmailBreakdowns, useClass: PostgresEmailBreakdowns },
    { provide: BouncedAddresses, useClass: PostgresBouncedAddresses },
    {
      provide: MessageStore,
      inject: [Adapters, Config, Database],
      useFactory: (adapters: Adapters, config: Config, database: Database) =>
        adapters.choose(MessageStore, () => configuredStore(config, database)),
    },
    {
      provide: RecipientScreening,
      inject: [SuppressedAddresses, RecipientConsents, Config, Clock],
      useFactory: (suppressed: SuppressedAddresses, consents: RecipientConsents, { values }: Config, clock: Clock) =>
        new RecipientScreening(suppressed, consents, values.testAddressDomains, clock),
    },
    { provide: AttachmentSource, useClass: HttpAttachmentSource },
    { provide: MailDepth, inject: [SecretBox], useFactory: (secrets: SecretBox) => new MailDepth(secrets) },
    LinkedAttachments,
    MimeSpool,
    { provide: ScheduledEmails, useClass: PostgresScheduledEmails },
    { provide: RoomForMail, useClass: DiskRoomForMail },
    EmailsPurge,
    EmailsData,
    WithdrawRecipients,
    AuthorizeSender,
    ExpandTemplate,
    ComposeEmail,
    WriteEmails,
    AcceptEmails,
    SendInTransaction,
    SendMailing,
    SendShared,
    FetchAttachments,
    ForwardMail,
    PreviewEmail,
    RehearseEmail,
    ReadAttachments,
    ReadEmails,
    ChangeSchedule,
    ReleaseScheduled,
    OutgoingEmails,
    ScreenWaiting,
  ],
  exports: [
    AuthorizeSender,
    AcceptEmails,
    SendInTransaction,
    SendMailing,
    SendShared,
    FetchAttachments,
    ForwardMail,
    PreviewEmail,
    RehearseEmail,
    ReadAttachments,
    ReadEmails,
    ChangeSchedule,
    ReleaseScheduled,
    OutgoingEmails,
    ScreenWaiting,
    BouncedAddresses,
    EmailBreakdowns,
    EmailEngagements,
    MailDepth,
    MessageStore,
    RoomForMail,
  ],
})
export class EmailsModule {}

/** Provides the `DomainActivity` of the domains lib, which must not depend on this lib. */
// oxlint-disable-next-line house/global-module -- provides the `DomainActivity` of the domains lib
@Global()
@Module({ providers: [{ provide: DomainActivity, useClass: PostgresDomainActivity }], exports: [DomainActivity] })
export class DomainActivityModule {}

@Module({
  imports: [EmailsModule, IdentityModule, DomainsModule, AudienceModule],
  controllers: [
    LegacySendingController,
    BreakdownController,
    EmailsController,
    EmailAttachmentsController,
    ShareEmailController,
    EmailPreviewController,
    SharedController,
    SharedPreviewController,
    UsageController,
  ],
  providers: [SignedLinks, SubmitEmails, { provide: TeamCounts, useClass: PostgresTeamCounts }],
  exports: [SignedLinks],
})
export class EmailsHttpModule {}

@Module({ imports: [EmailsModule], providers: [ScheduledEmailsWorker] })
export class EmailsWorkerModule {}

function configuredStore({ values }: Config, database: Database): MessageStore {
  switch (values.messageStore) {
    case 'postgres':
      return new PostgresMessageStore(database);
    case 'directory':
      return new DirectoryMessageStore(join(values.dataDir, 'messages'));
    case 's3':
      return new S3MessageStore(s3LocationFromUrl(values.s3Url ?? ''));
  }
}
