import { IdentityModule } from '#identity';
import { Config } from '#platform/config';
import { isPublicAddress } from '#http/outbound';
import { Module } from '@nestjs/common';
import { CallEndpoint } from './application/call-endpoint.use-case.js';
import { DrainEndpoint, SettleCalls } from './application/drain-endpoint.use-case.js';
import { SendTestEvent } from './application/send-test-event.use-case.js';
import { Webhooks } from './application/webhooks.use-case.js';
import { CallLog, OtherFormats, WebhookClient } from './application/ports/webhook-calls.port.js';
import { MessageLog } from './application/ports/message-log.port.js';
import { MessageQueue, StoredEvents } from './application/ports/message-queue.port.js';
import { WebhookRepository } from './application/ports/webhook-repository.port.js';
import { WebhookMessages } from './application/webhook-messages.use-case.js';
import { EndpointRules } from './domain/endpoint-url.js';
import { HttpWebhookClient } from './infrastructure/client/http-webhook-client.js';
import { WebhookMessagesController } from './infrastructure/http/webhook-messages.controller.js';
import { WebhooksController } from './infrastructure/http/webhooks.controller.js';
import { PostgresCallLog } from './infrastructure/persistence/postgres-call-log.js';
import { PostgresMessageLog, WebhookAnswersData } from './infrastructure/persistence/postgres-message-log.js';
import { PostgresMessageQueue, PostgresStoredEvents } from './infrastructure/persistence/postgres-message-queue.js';
import { PostgresWebhookRepository } from './infrastructure/persistence/postgres-webhook-repository.js';
import { EndpointLanes, WebhookWorker } from './infrastructure/worker/webhook-worker.js';
import { WebhookTidying } from './infrastructure/worker/webhook-tidying.js';

/** The rules for the URLs that the service may call for customers. */
@Module({
  providers: [
    {
      provide: EndpointRules,
      inject: [Config],
      useFactory: ({ values }: Config): EndpointRules => ({
        allowPrivate: values.allowPrivateDestinations,
        allowsAddress: isPublicAddress,
      }),
    },
  ],
  exports: [EndpointRules],
})
export class EndpointRulesModule {}

/** Endpoints of customers, the messages to them and the results of the calls. Database triggers make the messages. */
@Module({
  imports: [EndpointRulesModule, IdentityModule],
  providers: [
    { provide: WebhookRepository, useClass: PostgresWebhookRepository },
    { provide: StoredEvents, useClass: PostgresStoredEvents },
    { provide: MessageLog, useClass: PostgresMessageLog },
    { provide: CallLog, useClass: PostgresCallLog },
    { provide: WebhookClient, useClass: HttpWebhookClient },
    {
      provide: CallEndpoint,
      inject: [WebhookClient, { token: OtherFormats, optional: true }],
      useFactory: (client: WebhookClient, others?: OtherFormats) => new CallEndpoint(client, others),
    },
    SettleCalls,
    SendTestEvent,
    Webhooks,
    WebhookAnswersData,
    WebhookMessages,
  ],
  exports: [WebhookRepository, StoredEvents, CallEndpoint, SettleCalls, SendTestEvent, Webhooks, WebhookMessages],
})
export class WebhooksModule {}

@Module({ imports: [WebhooksModule, IdentityModule], controllers: [WebhooksController, WebhookMessagesController] })
export class WebhooksHttpModule {}

@Module({
  imports: [WebhooksModule],
  providers: [
    { provide: MessageQueue, useClass: PostgresMessageQueue },
    DrainEndpoint,
    EndpointLanes,
    WebhookTidying,
    WebhookWorker,
  ],
})
export class WebhooksWorkerModule {}
