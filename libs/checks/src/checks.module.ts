import { DeliveryHttpModule } from '#delivery';
import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { EmailInsights } from './application/email-insights.query.js';
import { MessageReader } from './application/ports/message-reader.port.js';
import { InsightsController } from './infrastructure/http/insights.controller.js';
import { ThreadedMessageReader } from './infrastructure/parsing/threaded-message-reader.js';

/** Checks messages for what speaks against their delivery. */
@Module({
  imports: [DeliveryHttpModule, DomainsModule, EmailsModule, IdentityModule],
  controllers: [InsightsController],
  providers: [{ provide: MessageReader, useClass: ThreadedMessageReader }, EmailInsights],
})
export class ChecksHttpModule {}
