import { DeliveryHttpModule } from '#delivery';
import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { MailHostsModule } from '#mx';
import { SuppressionsModule } from '#suppressions';
import { Module } from '@nestjs/common';
import { AskLinks } from './application/ask-links.js';
import { AskMailHosts } from './application/ask-mail-hosts.js';
import { DryRunEmail } from './application/dry-run-email.use-case.js';
import { EmailInsights } from './application/email-insights.query.js';
import { DisposableDomains, LinkProbe, MessageReader } from './application/ports/check-readers.port.js';
import { ValidateAddresses } from './application/validate-addresses.query.js';
import { ListedDisposableDomains } from './infrastructure/addresses/listed-disposable-domains.js';
import { AddressValidationController } from './infrastructure/http/address-validation.controller.js';
import { DryRunController } from './infrastructure/http/dry-run.controller.js';
import { InsightsController } from './infrastructure/http/insights.controller.js';
import { HttpLinkProbe } from './infrastructure/links/http-link-probe.js';
import { ThreadedMessageReader } from './infrastructure/parsing/threaded-message-reader.js';

/** Finds what may keep messages from being delivered or read, and what speaks against addresses. */
@Module({
  imports: [DeliveryHttpModule, DomainsModule, EmailsModule, IdentityModule, MailHostsModule, SuppressionsModule],
  controllers: [AddressValidationController, DryRunController, InsightsController],
  providers: [
    { provide: MessageReader, useClass: ThreadedMessageReader },
    { provide: LinkProbe, useClass: HttpLinkProbe },
    { provide: DisposableDomains, useClass: ListedDisposableDomains },
    AskMailHosts,
    ValidateAddresses,
    EmailInsights,
    AskLinks,
    DryRunEmail,
  ],
})
export class ChecksHttpModule {}
