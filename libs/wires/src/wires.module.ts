import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { UnitOfWork } from '#kernel';
import type { WireName } from '#platform/config';
import { Database } from '#postgres/database';
import { OtherControlFields } from '#smtp';
import { SuppressionsModule } from '#suppressions';
import { OtherFormats, WebhooksModule } from '#webhooks';
import type { WebhookFormat } from '#webhooks';
import { DynamicModule, Global, Module, Type } from '@nestjs/common';
import { WireControlFields } from './infrastructure/http/wire-control-fields.js';
import { MailgunDomains } from './infrastructure/http/mailgun/mailgun-domains.js';
import { MailgunDomainsController } from './infrastructure/http/mailgun/mailgun-domains.controller.js';
import { MailgunEventsController } from './infrastructure/http/mailgun/mailgun-events.controller.js';
import { MailgunSendingController } from './infrastructure/http/mailgun/mailgun-sending.controller.js';
import { MailgunSuppressionsController } from './infrastructure/http/mailgun/mailgun-suppressions.controller.js';
import { mailgunFormat } from './infrastructure/http/mailgun/mailgun-webhook.js';
import { MailgunWebhooksController } from './infrastructure/http/mailgun/mailgun-webhooks.controller.js';
import { mailgunWire } from './infrastructure/http/mailgun/mailgun.wire.js';
import { PostmarkBouncesController } from './infrastructure/http/postmark/postmark-bounces.controller.js';
import { PostmarkMessagesController } from './infrastructure/http/postmark/postmark-messages.controller.js';
import { PostmarkSendingController } from './infrastructure/http/postmark/postmark-sending.controller.js';
import { PostmarkServerController } from './infrastructure/http/postmark/postmark-server.controller.js';
import { PostmarkSuppressionsController } from './infrastructure/http/postmark/postmark-suppressions.controller.js';
import { postmarkFormat } from './infrastructure/http/postmark/postmark-webhook.js';
import { PostmarkWebhooksController } from './infrastructure/http/postmark/postmark-webhooks.controller.js';
import { postmarkWire } from './infrastructure/http/postmark/postmark.wire.js';
import { SendgridSendingController } from './infrastructure/http/sendgrid/sendgrid-sending.controller.js';
import { SendgridSuppressionsController } from './infrastructure/http/sendgrid/sendgrid-suppressions.controller.js';
import { sendgridWire } from './infrastructure/http/sendgrid/sendgrid.wire.js';
import { SesController } from './infrastructure/http/ses/ses.controller.js';
import { SesManagementController } from './infrastructure/http/ses/ses-management.controller.js';
import { SesQueryController } from './infrastructure/http/ses/ses-query.controller.js';
import { SesCredentials } from './infrastructure/http/ses/ses-credentials.js';
import { SesIdentities } from './infrastructure/http/ses/ses-identities.js';
import { SesSending } from './infrastructure/http/ses/ses-sending.js';
import { sesWire } from './infrastructure/http/ses/ses.wire.js';
import { Wire, WireCredentials, Wires } from './infrastructure/http/wire.js';
import { WireEmails } from './infrastructure/http/wire-emails.js';
import { WirePrincipals } from './infrastructure/http/wire-principals.js';
import { WiresController } from './infrastructure/http/wires.controller.js';

interface SpokenWire {
  readonly wire: Wire;
  readonly controllers: readonly Type[];
  readonly format?: WebhookFormat;
}

const spoken: Readonly<Record<WireName, SpokenWire>> = {
  ses: { wire: sesWire, controllers: [SesController, SesManagementController, SesQueryController] },
  mailgun: {
    wire: mailgunWire,
    format: mailgunFormat,
    // The domains first, so that `/v3/domains/…` is not read as a domain of that name.
    controllers: [
      MailgunDomainsController,
      MailgunWebhooksController,
      MailgunSendingController,
      MailgunEventsController,
      MailgunSuppressionsController,
    ],
  },
  sendgrid: { wire: sendgridWire, controllers: [SendgridSendingController, SendgridSuppressionsController] },
  postmark: {
    wire: postmarkWire,
    format: postmarkFormat,
    controllers: [
      PostmarkSendingController,
      PostmarkBouncesController,
      PostmarkMessagesController,
      PostmarkSuppressionsController,
      PostmarkServerController,
      PostmarkWebhooksController,
    ],
  },
};

/** The APIs of other providers that are asked for (`WIRES`). Without any of them this module is not loaded. */
@Module({})
export class WiresModule {
  static forRoot(names: readonly WireName[]): DynamicModule {
    const asked = [...new Set(names)].map((name) => spoken[name]);
    return {
      module: WiresModule,
      imports: [IdentityModule, EmailsModule, DomainsModule, SuppressionsModule, WebhooksModule],
      controllers: [WiresController, ...asked.flatMap(({ controllers }) => controllers)],
      providers: [
        SesCredentials,
        SesIdentities,
        SesSending,
        {
          provide: Wires,
          inject: [SesCredentials],
          useFactory: (ses: SesCredentials) =>
            new Wires(
              asked.map(({ wire }) => wire),
              new Map<string, WireCredentials>([['ses', ses]]),
            ),
        },
        { provide: UnitOfWork, useExisting: Database },
        MailgunDomains,
        WireEmails,
        WirePrincipals,
      ],
    };
  }
}

/** The control fields of the same providers in messages that come over SMTP. */
// oxlint-disable-next-line house/global-module -- provides the `OtherControlFields` of the SMTP listeners
@Global()
@Module({})
export class WireFieldsModule {
  static forRoot(names: readonly WireName[]): DynamicModule {
    return {
      module: WireFieldsModule,
      providers: [{ provide: OtherControlFields, useValue: new WireControlFields(names) }],
      exports: [OtherControlFields],
    };
  }
}

/** The formats in which the same providers call webhooks. */
// oxlint-disable-next-line house/global-module -- provides the `OtherFormats` of the webhooks lib
@Global()
@Module({})
export class WireFormatsModule {
  static forRoot(names: readonly WireName[]): DynamicModule {
    const named = (name: string): WebhookFormat | undefined =>
      names.flatMap((one) => (one === name ? [spoken[one]] : []))[0]?.format;
    return {
      module: WireFormatsModule,
      providers: [{ provide: OtherFormats, useValue: { named } satisfies OtherFormats }],
      exports: [OtherFormats],
    };
  }
}
