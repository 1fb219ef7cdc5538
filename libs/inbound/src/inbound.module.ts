import { DomainsModule } from '#domains';
import { EmailsHttpModule, EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { mailShare } from '#postgres/database';
import { Logger } from '#observability/logging';
import { ReceivedMail } from '#smtp';
import { Global, Module } from '@nestjs/common';
import { DecideRecipient } from './application/decide-recipient.js';
import { ContentSpool } from './application/content-spool.js';
import { MessageJudge } from './application/ports/message-judge.port.js';
import { ReceivedContents } from './application/ports/received-contents.port.js';
import { ReceivedEmails } from './application/ports/received-emails.port.js';
import { ReceivedWork } from './application/ports/received-work.port.js';
import { NoSpamScorer, NoVirusScanner, SpamScorer, VirusScanner } from './application/ports/scanners.port.js';
import { ServiceMailboxes } from './application/ports/service-mailbox.port.js';
import { PostmasterAddresses, PostmasterMailbox } from './application/postmaster-mailbox.js';
import { ReceivedInbox } from './application/received-inbox.use-case.js';
import { ReceivedElsewhere } from './application/received-elsewhere.js';
import { ReceiveMail } from './application/receive-mail.use-case.js';
import { RunReceivedActions } from './application/run-received-actions.use-case.js';
import { ScanArrival } from './application/scan-arrival.js';
import { ReceivingPolicy } from './domain/receiving-policy.js';
import { MailauthMessageJudge } from './infrastructure/authentication/mailauth-message-judge.js';
import { SenderDns } from './infrastructure/authentication/sender-checks.js';
import { StoredReceivedContents } from './infrastructure/contents/stored-received-contents.js';
import { ReceivedEmailsController } from './infrastructure/http/received-emails.controller.js';
import { ReceivedLinksController } from './infrastructure/http/received-links.controller.js';
import { AcceptMessages, ConfirmedReceipts } from './infrastructure/persistence/accept-messages.js';
import { PostgresReceivedEmails, PostgresReceivedWork } from './infrastructure/persistence/postgres-received-emails.js';
import { ReceivedData, ReceivedPurge } from './infrastructure/persistence/received-data.js';
import { UnusedContents } from './infrastructure/persistence/unused-contents.js';
import { ClamavVirusScanner } from './infrastructure/scanners/clamav-virus-scanner.js';
import { RspamdSpamScorer } from './infrastructure/scanners/rspamd-spam-scorer.js';
import { ReceivedActionsWorker } from './infrastructure/worker/received-actions-worker.js';

function policyOf({ values }: Config): ReceivingPolicy {
  const refusals = {
    enforcesDmarc: values.inboundDmarc === 'reject',
    refusesSpam: values.inboundSpam === 'reject',
    refusesViruses: values.inboundViruses === 'reject',
  };
  return new ReceivingPolicy(refusals, values.inboundScans);
}

/** Received mail. Needs a `RecipientRouting`. */
@Module({
  imports: [DomainsModule, EmailsModule],
  providers: [
    mailShare,
    { provide: MessageJudge, useClass: MailauthMessageJudge },
    { provide: ReceivedContents, useClass: StoredReceivedContents },
    { provide: ReceivedEmails, useClass: PostgresReceivedEmails },
    UnusedContents,
    { provide: ReceivingPolicy, inject: [Config], useFactory: policyOf },
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
    ContentSpool,
    DecideRecipient,
    ReceivedInbox,
    ReceiveMail,
    ReceivedData,
    ScanArrival,
    SenderDns,
    ServiceMailboxes,
  ],
  exports: [ReceivedInbox, ReceiveMail, ServiceMailboxes, ReceivedContents, ReceivedEmails, ReceivingPolicy],
})
export class InboundModule {}

/** Lets the SMTP listeners receive mail for the domains of teams. */
// oxlint-disable-next-line house/global-module -- provides the `ReceivedMail` of the SMTP listeners
@Global()
@Module({
  imports: [DomainsModule, InboundModule],
  providers: [{ provide: ReceivedMail, useExisting: ReceiveMail }, PostmasterAddresses, PostmasterMailbox],
  exports: [ReceivedMail],
})
export class InboundListenerModule {}

/** Instead of it, for a process without the role `inbound`. */
// oxlint-disable-next-line house/global-module -- provides the `ReceivedMail` of the SMTP listeners
@Global()
@Module({
  imports: [DomainsModule],
  providers: [{ provide: ReceivedMail, useClass: ReceivedElsewhere }],
  exports: [ReceivedMail],
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
