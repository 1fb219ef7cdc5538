import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { InboundModule, ReceivedMailActions, RecipientRouting } from '#inbound';
import { InboxesModule } from '#inboxes';
import { SecretBox } from '#platform/secrets';
import { Global, Module } from '@nestjs/common';
import { ExplainRoute } from './application/explain-route.query.js';
import { ForwardingDomains } from './application/forwarding-domains.js';
import { ForwardReceived, HandOvers } from './application/pass-on.js';
import { HandOver, RoutedMessages } from './application/ports/routed-messages.port.js';
import { RouteRepository } from './application/ports/route-repository.port.js';
import { RouteResults } from './application/ports/route-results.port.js';
import { ReturnBounces } from './application/return-bounces.use-case.js';
import { Routes } from './application/routes.use-case.js';
import { RouteRecipients, RunRoutes } from './application/run-routes.use-case.js';
import { SenderRewriting } from './domain/forwarding.js';
import { SmtpHandOver } from './infrastructure/handover/smtp-hand-over.js';
import { RoutesController } from './infrastructure/http/routes.controller.js';
import { RoutingController } from './infrastructure/http/routing.controller.js';
import { ForwardsData } from './infrastructure/persistence/forwards-data.js';
import {
  PostgresRouteRepository,
  PostgresRouteResults,
  RoutesPurge,
} from './infrastructure/persistence/postgres-routes.js';
import { StoredRoutedMessages } from './infrastructure/messages/stored-routed-messages.js';

const routes = { provide: RouteRepository, useClass: PostgresRouteRepository };
const messages = { provide: RoutedMessages, useClass: StoredRoutedMessages };
const results = { provide: RouteResults, useClass: PostgresRouteResults };
const senders = {
  provide: SenderRewriting,
  inject: [SecretBox],
  useFactory: (secrets: SecretBox) => new SenderRewriting(secrets),
};

/** Decides on the recipients of received mail by the routes of their teams. */
// oxlint-disable-next-line house/global-module -- implements the port by which the inbound lib asks for routes
@Global()
@Module({
  imports: [IdentityModule, InboxesModule],
  providers: [routes, { provide: RecipientRouting, useClass: RouteRecipients }],
  exports: [RecipientRouting, RouteRepository],
})
export class RoutingModule {}

/** Does what routes say for received mail. */
// oxlint-disable-next-line house/global-module -- implements the port by which the inbound lib runs routes
@Global()
@Module({
  imports: [DomainsModule, EmailsModule, InboundModule],
  providers: [
    messages,
    results,
    senders,
    { provide: HandOver, useClass: SmtpHandOver },
    { provide: ReceivedMailActions, useClass: RunRoutes },
    ForwardReceived,
    HandOvers,
    RoutesPurge,
  ],
  exports: [ReceivedMailActions],
})
export class RouteActionsModule {}

/** Takes the bounces of mail that was passed on. */
@Module({ imports: [DomainsModule, EmailsModule, InboundModule], providers: [senders, ReturnBounces] })
export class RouteBouncesModule {}

/** The endpoints that manage routes. */
@Module({
  imports: [DomainsModule, IdentityModule, InboundModule, InboxesModule],
  controllers: [RoutesController, RoutingController],
  providers: [messages, results, ExplainRoute, ForwardingDomains, Routes],
})
export class InboundRoutesHttpModule {}

/** What this lib knows about people. */
@Module({ imports: [InboundModule], providers: [ForwardsData] })
export class RoutesPrivacyModule {}
