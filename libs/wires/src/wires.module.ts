import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { UnitOfWork } from '#kernel';
import type { WireName } from '#platform/config';
import { Database } from '#postgres/database';
import { SuppressionsModule } from '#suppressions';
import { DynamicModule, Module, Type } from '@nestjs/common';
import { PostmarkBouncesController } from './infrastructure/http/postmark/postmark-bounces.controller.js';
import { PostmarkMessagesController } from './infrastructure/http/postmark/postmark-messages.controller.js';
import { PostmarkSendingController } from './infrastructure/http/postmark/postmark-sending.controller.js';
import { PostmarkServerController } from './infrastructure/http/postmark/postmark-server.controller.js';
import { PostmarkSuppressionsController } from './infrastructure/http/postmark/postmark-suppressions.controller.js';
import { postmarkWire } from './infrastructure/http/postmark/postmark.wire.js';
import { Wire, Wires } from './infrastructure/http/wire.js';
import { WireEmails } from './infrastructure/http/wire-emails.js';
import { WirePrincipals } from './infrastructure/http/wire-principals.js';
import { WiresController } from './infrastructure/http/wires.controller.js';

interface SpokenWire {
  readonly wire: Wire;
  readonly controllers: readonly Type[];
}

const spoken: Partial<Record<WireName, SpokenWire>> = {
  postmark: {
    wire: postmarkWire,
    controllers: [
      PostmarkSendingController,
      PostmarkBouncesController,
      PostmarkMessagesController,
      PostmarkSuppressionsController,
      PostmarkServerController,
    ],
  },
};

/** The APIs of other providers that are asked for (`WIRES`). Without any of them this module is not loaded. */
@Module({})
export class WiresModule {
  static forRoot(names: readonly WireName[]): DynamicModule {
    const asked = [...new Set(names)].flatMap((name) => spoken[name] ?? []);
    return {
      module: WiresModule,
      imports: [IdentityModule, EmailsModule, DomainsModule, SuppressionsModule],
      controllers: [WiresController, ...asked.flatMap(({ controllers }) => controllers)],
      providers: [
        { provide: Wires, useValue: new Wires(asked.map(({ wire }) => wire)) },
        { provide: UnitOfWork, useExisting: Database },
        WireEmails,
        WirePrincipals,
      ],
    };
  }
}
