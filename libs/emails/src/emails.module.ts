import { join } from 'node:path';
import { AudienceModule, RecipientConsents } from '#audience';
import { DomainActivity, DomainsModule } from '#domains';
import { IdempotencyModule } from '#idempotency';
import { IdentityModule } from '#identity';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database, mailShare } from '#platform/database';
import { SuppressedAddresses, SuppressionsModule } from '#suppressions';
import { TemplatesModule } from '#templates';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AcceptOnce } from './application/acceptance/accept-once.js';
import { AuthorizeSender } from './application/acceptance/authorize-sender.js';
import { ClaimKeys } from './application/acceptance/claim-keys.js';
import { ComposeEmail } from './application/acceptance/compose-email.js';
import { DecideGroup } from './application/acceptance/decide-group.js';
import { KnownTopics } from './application/acceptance/known-topics.js';
import { QuotaCheck } from './application/acceptance/quota-check.js';
import { RecipientScreening } from './application/acceptance/recipient-screening.js';
import { RecipientValues } from './application/acceptance/recipient-values.js';
import { TemplatedDrafts } from './application/acceptance/templated-drafts.js';
import { ChangeSchedule } from './application/change-schedule.use-case.js';
import { ForwardMail } from './application/forward-mail.use-case.js';
import { LinkedAttachments } from './application/linked-attachments.js';
import { OutgoingEmails } from './application/outgoing-emails.js';
import { AttachmentSource } from './application/ports/attachment-source.port.js';
import { EmailContents } from './application/ports/email-contents.port.js';
import { EmailAcceptance } from './application/ports/email-acceptance.port.js';
import { EmailEngagements } from './application/ports/email-engagements.port.js';
import { EmailBreakdowns } from './application/ports/email-breakdowns.port.js';
import { BreakdownController } from './infrastructure/http/breakdown.controller.js';
import { PostgresEmailBreakdowns } from './infrastructure/persistence/postgres-email-breakdowns.js';
import { BroadcastCount } from './application/ports/broadcast-count.port.js';
import { EmailFinder } from './application/ports/email-finder.port.js';
import { EmailRepository } from './application/ports/email-repository.port.js';
import { MessageStore } from './application/ports/message-store.port.js';
import { ReadAttachments } from './application/read-attachments.query.js';
import { MimeSpool } from './application/ports/mime-spool.port.js';
import { RoomForMail } from './application/ports/room-for-mail.port.js';
import { ScheduledEmails } from './application/ports/scheduled-emails.port.js';
import { SharedContents } from './application/ports/shared-contents.port.js';
import { ReadEmails } from './application/read-emails.query.js';
import { ReleaseScheduled } from './application/release-scheduled.use-case.js';
import { SendBatch } from './application/send-batch.use-case.js';
import { SendEmail } from './application/send-email.use-case.js';
import { SendMailing } from './application/send-mailing.use-case.js';
import { SendShared } from './application/send-shared.use-case.js';
import { SubmitMime } from './application/submit-mime.use-case.js';
import { DailySharedContents } from './infrastructure/contents/daily-shared-contents.js';
import { StoredEmailContents } from './infrastructure/contents/stored-email-contents.js';
import { HttpAttachmentSource } from './infrastructure/http-attachment-source.js';
import { EmailAttachmentsController } from './infrastructure/http/email-attachments.controller.js';
import { EmailPreviewController, SharedPreviewController } from './infrastructure/http/email-preview.controller.js';
import { EmailsController } from './infrastructure/http/emails.controller.js';
import { LegacySendingController } from './infrastructure/http/legacy-sending.controller.js';
import { QuotaHeaders } from './infrastructure/http/quota-headers.js';
import { SubmitEmail } from './infrastructure/http/submit-email.js';
import { UsageController } from './infrastructure/http/usage.controller.js';
import { AcceptanceObserver } from './infrastructure/persistence/acceptance-observer.js';
import { AcceptedEmailsWriter } from './infrastructure/persistence/accepted-emails-writer.js';
import { ShareEmailController } from './infrastructure/http/share-email.controller.js';
import { SharedController } from './infrastructure/http/shared.controller.js';
import { SignedLinks } from './infrastructure/http/signed-links.js';
import { EmailRow } from './infrastructure/persistence/email.row.js';
import { EmailsData } from './infrastructure/persistence/emails-data.js';
import { EmailsPurge } from './infrastructure/persistence/emails-purge.js';
import { PostgresBroadcastCount } from './infrastructure/persistence/postgres-broadcast-count.js';
import { PostgresDomainActivity } from './infrastructure/persistence/postgres-domain-activity.js';
import { PostgresEmailEngagements } from './infrastructure/persistence/postgres-email-engagements.js';
import { PostgresEmailAcceptance } from './infrastructure/persistence/postgres-email-acceptance.js';
import { PostgresEmailFinder } from './infrastructure/persistence/postgres-email-finder.js';
import { PostgresEmailRepository } from './infrastructure/persistence/postgres-email-repository.js';
import { PostgresScheduledEmails } from './infrastructure/persistence/postgres-scheduled-emails.js';
import { RecentEmails } from './infrastructure/persistence/recent-emails.js';
import { StoringMimeSpool } from './infrastructure/storage/storing-mime-spool.js';
import { DirectoryMessageStore } from './infrastructure/storage/directory-message-store.js';
import { DiskRoomForMail } from './infrastructure/storage/disk-room-for-mail.js';
import { PostgresMessageStore } from './infrastructure/storage/postgres-message-store.js';
import { S3MessageStore } from './infrastructure/storage/s3-message-store.js';
import { s3LocationFromUrl } from './infrastructure/storage/s3-url.js';
import { ScheduledEmailsWorker } from './infrastructure/worker/scheduled-emails-worker.js';

/** Accepts emails and records what becomes of them. Needs an `OutboundQueue`, which the delivery lib provides. */
@Module({
  imports: [
    IdentityModule,
    DomainsModule,
    IdempotencyModule,
    SuppressionsModule,
    AudienceModule,
    TemplatesModule,
    TypeOrmModule.forFeature([EmailRow]),
  ],
  providers: [
    mailShare,
    { provide: EmailAcceptance, useClass: PostgresEmailAcceptance },
    { provide: EmailEngagements, useClass: PostgresEmailEngagements },
    { provide: EmailContents, useClass: StoredEmailContents },
    { provide: SharedContents, useClass: DailySharedContents },
    { provide: EmailRepository, useClass: PostgresEmailRepository },
    { provide: EmailFinder, useClass: PostgresEmailFinder },
    { provide: EmailBreakdowns, useClass: PostgresEmailBreakdowns },
    {
      provide: MessageStore,
      inject: [Adapters, Config, Database],
      useFactory: (adapters: Adapters, config: Config, database: Database) =>
        adapters.choose(MessageStore, () => configuredStore(config, database)),
    },
    {
      provide: RecipientScreening,
      inject: [SuppressedAddresses, RecipientConsents, Config],
      useFactory: (suppressed: SuppressedAddresses, consents: RecipientConsents, { values }: Config) =>
        new RecipientScreening(suppressed, consents, values.testAddressDomains),
    },
    { provide: AttachmentSource, useClass: HttpAttachmentSource },
    LinkedAttachments,
    { provide: MimeSpool, useClass: StoringMimeSpool },
    { provide: ScheduledEmails, useClass: PostgresScheduledEmails },
    { provide: RoomForMail, useClass: DiskRoomForMail },
    EmailsPurge,
    EmailsData,
    RecentEmails,
    AcceptedEmailsWriter,
    AcceptanceObserver,
    AuthorizeSender,
    KnownTopics,
    RecipientValues,
    TemplatedDrafts,
    ComposeEmail,
    QuotaCheck,
    ClaimKeys,
    DecideGroup,
    AcceptOnce,
    SendEmail,
    SendBatch,
    SendMailing,
    SendShared,
    SubmitMime,
    ForwardMail,
    ReadAttachments,
    ReadEmails,
    ChangeSchedule,
    ReleaseScheduled,
    OutgoingEmails,
  ],
  exports: [
    AuthorizeSender,
    SendEmail,
    SendBatch,
    SendMailing,
    SendShared,
    SubmitMime,
    ForwardMail,
    ReadAttachments,
    ReadEmails,
    ChangeSchedule,
    ReleaseScheduled,
    OutgoingEmails,
    EmailBreakdowns,
    EmailEngagements,
    MessageStore,
    RoomForMail,
  ],
})
export class EmailsModule {}

/** Provides the `DomainActivity` of the domains lib, which must not depend on this lib. */
// eslint-disable-next-line no-restricted-syntax -- provides the `DomainActivity` of the domains lib
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
  providers: [QuotaHeaders, SignedLinks, SubmitEmail, { provide: BroadcastCount, useClass: PostgresBroadcastCount }],
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
