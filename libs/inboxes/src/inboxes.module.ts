import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdempotencyModule } from '#idempotency';
import { IdentityModule } from '#identity';
import { InboundModule, TeamAddresses } from '#inbound';
import { Global, Module } from '@nestjs/common';
import { Drafts } from './application/drafts.use-case.js';
import { FileArrivals } from './application/file-arrivals.use-case.js';
import { InboxAddresses, ReceivingAddresses } from './application/receiving-addresses.query.js';
import { InboxDomains } from './application/inbox-domains.js';
import { InboxLabels } from './application/inbox-labels.use-case.js';
import { InboxThreads } from './application/inbox-threads.use-case.js';
import { Inboxes } from './application/inboxes.use-case.js';
import { MailMemory } from './application/mail-memory.js';
import { Once } from './application/once.js';
import { ArrivalQueue } from './application/ports/arrival-queue.port.js';
import { DraftRepository, OriginalEmails } from './application/ports/draft-repository.port.js';
import { InboxRepository } from './application/ports/inbox-repository.port.js';
import { ThreadRepository } from './application/ports/thread-repository.port.js';
import { ReadInboxEmails } from './application/read-inbox-emails.query.js';
import { SendDraft } from './application/send-draft.use-case.js';
import { SendFromInbox } from './application/send-from-inbox.use-case.js';
import { SentEmails } from './application/sent-emails.js';
import { StoredOriginalEmails } from './infrastructure/contents/stored-original-emails.js';
import { InboxDraftsController } from './infrastructure/http/inbox-drafts.controller.js';
import { InboxEmailsController } from './infrastructure/http/inbox-emails.controller.js';
import { InboxLabelsController } from './infrastructure/http/inbox-labels.controller.js';
import { InboxRepliesController } from './infrastructure/http/inbox-replies.controller.js';
import { InboxThreadsController } from './infrastructure/http/inbox-threads.controller.js';
import { InboxesController } from './infrastructure/http/inboxes.controller.js';
import { InboxesData } from './infrastructure/persistence/inboxes-data.js';
import { InboxesPurge } from './infrastructure/persistence/inboxes-purge.js';
import { PostgresArrivals } from './infrastructure/persistence/postgres-arrivals.js';
import { PostgresDrafts } from './infrastructure/persistence/postgres-drafts.js';
import { PostgresInboxRepository } from './infrastructure/persistence/postgres-inbox-repository.js';
import { PostgresThreads } from './infrastructure/persistence/postgres-threads.js';
import { ArrivalsWorker } from './infrastructure/worker/arrivals-worker.js';

/** The mail of addresses in threads. */
@Module({
  imports: [DomainsModule, IdentityModule],
  providers: [
    { provide: InboxRepository, useClass: PostgresInboxRepository },
    { provide: ThreadRepository, useClass: PostgresThreads },
    InboxAddresses,
    InboxDomains,
    Inboxes,
  ],
  exports: [InboxAddresses, Inboxes, InboxRepository, ThreadRepository],
})
export class InboxesModule {}

/** Lets the inbound lib know the receiving addresses of inboxes. */
// oxlint-disable-next-line house/global-module -- implements the port by which the inbound lib asks for addresses of teams
@Global()
@Module({
  imports: [DomainsModule, InboxesModule],
  providers: [{ provide: TeamAddresses, useClass: ReceivingAddresses }],
  exports: [TeamAddresses],
})
export class ReceivingAddressesModule {}

/** The endpoints of inboxes. */
@Module({
  imports: [EmailsModule, IdempotencyModule, IdentityModule, InboundModule, InboxesModule],
  controllers: [
    InboxesController,
    InboxLabelsController,
    InboxThreadsController,
    InboxEmailsController,
    InboxRepliesController,
    InboxDraftsController,
  ],
  providers: [
    { provide: DraftRepository, useClass: PostgresDrafts },
    { provide: OriginalEmails, useClass: StoredOriginalEmails },
    Drafts,
    InboxLabels,
    InboxThreads,
    MailMemory,
    Once,
    ReadInboxEmails,
    SendDraft,
    SendFromInbox,
    SentEmails,
  ],
})
export class InboxesHttpModule {}

/** Puts received mail into inboxes. */
@Module({
  imports: [InboundModule, InboxesModule],
  providers: [{ provide: ArrivalQueue, useClass: PostgresArrivals }, ArrivalsWorker, FileArrivals, InboxesPurge],
})
export class InboxesWorkerModule {}

/** What this lib knows about people. */
@Module({ providers: [InboxesData] })
export class InboxesPrivacyModule {}
