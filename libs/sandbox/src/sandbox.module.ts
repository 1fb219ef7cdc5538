import { SandboxAddress } from '#delivery';
import { DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { Logger } from '#observability/logging';
import { DynamicModule, Global, Module, Provider } from '@nestjs/common';
import { SandboxInbox, SignatureVerifier } from './application/ports/inbox.port.js';
import { ReceiveMessage } from './application/receive-message.use-case.js';
import { MailauthSignatureVerifier } from './infrastructure/dkim/mailauth-signature-verifier.js';
import { InboxPageController } from './infrastructure/http/inbox-page.controller.js';
import { InboxToken } from './infrastructure/http/inbox-token.js';
import { SandboxMessagesController } from './infrastructure/http/sandbox-messages.controller.js';
import { ShownMessages } from './infrastructure/http/shown-messages.js';
import { PostgresInbox, SandboxData } from './infrastructure/persistence/postgres-inbox.js';
import { SandboxReceiver } from './infrastructure/smtp/sandbox-receiver.js';

const inbox: Provider = { provide: SandboxInbox, useClass: PostgresInbox };

/** Listens before other providers can ask for the address. */
const receiving: Provider[] = [
  ReceiveMessage,
  {
    provide: SandboxAddress,
    inject: [ReceiveMessage, Logger],
    useFactory: (receiveMessage: ReceiveMessage, logger: Logger) => SandboxReceiver.listen(receiveMessage, logger),
  },
];

const notReceiving: Provider[] = [{ provide: SandboxAddress, useValue: { port: 0 } satisfies SandboxAddress }];

/**
 * The mail server to which all mail is delivered with DELIVERY_TRANSPORT=sandbox, and its inbox. The process that
 * delivers runs the server; each process with the api role reads the inbox.
 */
// oxlint-disable-next-line house/global-module -- the transport and the MX module use its address, and it is configured once
@Global()
@Module({})
export class SandboxModule {
  static forRoot(options: { readonly worker: boolean }): DynamicModule {
    return {
      module: SandboxModule,
      imports: [DomainsModule],
      providers: [inbox, ...(options.worker ? receiving : notReceiving)],
      exports: [SandboxInbox, SandboxAddress],
    };
  }
}

/** What the sandbox holds about people. For every process, because messages stay when the transport is another one. */
@Module({ providers: [SandboxData] })
export class SandboxDataModule {}

@Module({
  imports: [DomainsModule, IdentityModule],
  controllers: [SandboxMessagesController, InboxPageController],
  providers: [ShownMessages, InboxToken, { provide: SignatureVerifier, useClass: MailauthSignatureVerifier }],
})
export class SandboxHttpModule {}
