import { DeliveryHttpModule } from '#delivery';
import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AskLinks } from './application/ask-links.js';
import { DryRunEmail } from './application/dry-run-email.use-case.js';
import { EmailInsights } from './application/email-insights.query.js';
import { LinkProbe, MessageReader } from './application/ports/check-readers.port.js';
import { DryRunController } from './infrastructure/http/dry-run.controller.js';
import { InsightsController } from './infrastructure/http/insights.controller.js';
import { HttpLinkProbe } from './infrastructure/links/http-link-probe.js';
import { ThreadedMessageReader } from './infrastructure/parsing/threaded-message-reader.js';

/** Finds what may keep messages from being delivered or read. */
@Module({
  imports: [DeliveryHttpModule, DomainsModule, EmailsModule, IdentityModule],
  controllers: [DryRunController, InsightsController],
  providers: [
    { provide: MessageReader, useClass: ThreadedMessageReader },
    { provide: LinkProbe, useClass: HttpLinkProbe },
    EmailInsights,
    AskLinks,
    DryRunEmail,
  ],
})
export class ChecksHttpModule {}
