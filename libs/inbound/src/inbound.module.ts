import { DomainsModule } from '#domains';
import { EmailsHttpModule, EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { mailShare } from '#platform/database';
import { Logger } from '#platform/logging';
import { InboundMail } from '#smtp';
import { Global, Module } from '@nestjs/common';
import { DecideRecipient } from './application/decide-recipient.js';
import { EraseReceived } from './application/erase-received.use-case.js';
import { JudgeArrival } from './application/judge-arrival.js';
import { KeepArrival } from './application/keep-arrival.js';
import { ContentSpool } from './application/ports/content-spool.port.js';
import { MessageJudge } from './application/ports/message-judge.port.js';
import { ReceivedContents } from './application/ports/received-contents.port.js';
import { ReceivedEmails } from './application/ports/received-emails.port.js';
import { ReceivedWork } from './application/ports/received-work.port.js';
import { ReceivingPolicy } from './application/ports/receiving-policy.port.js';
import { NoSpamScorer, SpamScorer } from './application/ports/spam-scorer.port.js';
import { NoVirusScanner, VirusScanner } from './application/ports/virus-scanner.port.js';
import { ServiceMailboxes } from './application/ports/service-mailbox.port.js';
import { MessageTexts } from './application/ports/message-texts.port.js';
import { PostmasterAddresses } from './application/postmaster-addresses.js';
import { PostmasterMailbox } from './application/postmaster-mailbox.js';
import { ReadReceived } from './application/read-received.query.js';
import { ReceivedElsewhere } from './application/received-elsewhere.js';
import { ReceiveMail } from './application/receive-mail.use-case.js';
import { ReceiveServiceMail } from './application/receive-service-mail.use-case.js';
import { ReplayReceived } from './application/replay-received.use-case.js';
import { RunReceivedActions } from './application/run-received-actions.use-case.js';
import { ScanArrival } from './application/scan-arrival.js';
import { MailauthMessageJudge } from './infrastructure/authentication/mailauth-message-judge.js';
import { SenderDns } from './infrastructure/authentication/sender-dns.js';
import { ConfiguredReceivingPolicy } from './infrastructure/configured-receiving-policy.js';
import { StoredReceivedContents } from './infrastructure/contents/stored-received-contents.js';
import { ReceivedEmailsController } from './infrastructure/http/received-emails.controller.js';
import { ReceivedLinksController } from './infrastructure/http/received-links.controller.js';
import { ParsedMessageTexts } from './infrastructure/mime/parsed-message-texts.js';
import { AcceptMessages } from './infrastructure/persistence/accept-messages.js';
import { ConfirmedReceipts } from './infrastructure/persistence/confirmed-receipts.js';
import { PostgresReceivedEmails } from './infrastructure/persistence/postgres-received-emails.js';
import { ReceivedData } from './infrastructure/persistence/received-data.js';
import { PostgresReceivedWork } from './infrastructure/persistence/postgres-received-work.js';
import { ReceivedPurge } from './infrastructure/persistence/received-purge.js';
import { ClamavVirusScanner } from './infrastructure/scanners/clamav-virus-scanner.js';
import { RspamdSpamScorer } from './infrastructure/scanners/rspamd-spam-scorer.js';
import { StoringContentSpool } from './infrastructure/storage/storing-content-spool.js';
import { ReceivedActionsWorker } from './infrastructure/worker/received-actions-worker.js';

/** Received mail. Needs a `RecipientRouting`. */
@Module({
  imports: [DomainsModule, EmailsModule],
  providers: [
    mailShare,
    { provide: ContentSpool, useClass: StoringContentSpool },
    { provide: MessageJudge, useClass: MailauthMessageJudge },
    { provide: ReceivedContents, useClass: StoredReceivedContents },
    { provide: ReceivedEmails, useClass: PostgresReceivedEmails },
    { provide: ReceivingPolicy, useClass: ConfiguredReceivingPolicy },
    {
      provide: SpamScorer,
      inject: [Adapters, Config, Logger],
      useFactory: (adapters: Adapters, { values }: Config, logger: Logger) =>
        adapters.choose(SpamScorer, () =>
          values.rspamdUrl === undefined ? new NoSpamScorer() : new RspamdSpamScorer(values.rspamdUrl, logger),
        ),
    },
    {
      provide: VirusScanner,
      inject: [Adapters, Config, Logger],
      useFactory: (adapters: Adapters, { values }: Config, logger: Logger) =>
        adapters.choose(VirusScanner, () =>
          values.clamavUrl === undefined ? new NoVirusScanner() : new ClamavVirusScanner(values.clamavUrl, logger),
        ),
    },
    AcceptMessages,
    ConfirmedReceipts,
    DecideRecipient,
    EraseReceived,
    JudgeArrival,
    KeepArrival,
    ReadReceived,
    ReceiveMail,
    ReceiveServiceMail,
    ReceivedData,
    ReplayReceived,
    ScanArrival,
    SenderDns,
    ServiceMailboxes,
  ],
  exports: [
    EraseReceived,
    ReadReceived,
    ReceiveMail,
    ReceiveServiceMail,
    ServiceMailboxes,
    ReceivedContents,
    ReceivedEmails,
    ReceivingPolicy,
    ReplayReceived,
  ],
})
export class InboundModule {}

/** Lets the SMTP listeners receive mail for the domains of teams. */
// eslint-disable-next-line no-restricted-syntax -- provides the `InboundMail` of the SMTP listeners
@Global()
@Module({
  imports: [DomainsModule, InboundModule],
  providers: [
    { provide: InboundMail, useExisting: ReceiveServiceMail },
    { provide: MessageTexts, useClass: ParsedMessageTexts },
    PostmasterAddresses,
    PostmasterMailbox,
  ],
  exports: [InboundMail],
})
export class InboundListenerModule {}

/** Instead of it, for a process without the role `inbound`. */
// eslint-disable-next-line no-restricted-syntax -- provides the `InboundMail` of the SMTP listeners
@Global()
@Module({
  imports: [DomainsModule],
  providers: [{ provide: InboundMail, useClass: ReceivedElsewhere }],
  exports: [InboundMail],
})
export class InboundElsewhereModule {}

@Module({
  imports: [InboundModule, EmailsHttpModule, IdentityModule],
  controllers: [ReceivedEmailsController, ReceivedLinksController],
})
export class InboundHttpModule {}

/** Runs what happens to received mail after it was stored. Needs `ReceivedMailActions`. */
@Module({
  imports: [InboundModule],
  providers: [
    { provide: ReceivedWork, useClass: PostgresReceivedWork },
    mailShare,
    ReceivedPurge,
    RunReceivedActions,
    ReceivedActionsWorker,
  ],
})
export class InboundWorkerModule {}
