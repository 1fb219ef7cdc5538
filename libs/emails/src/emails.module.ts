import { join } from 'node:path';
import { DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutgoingEmails } from './application/outgoing-emails.js';
import { EmailAcceptance } from './application/ports/email-acceptance.port.js';
import { EmailRepository } from './application/ports/email-repository.port.js';
import { MessageStore } from './application/ports/message-store.port.js';
import { MimeSpool } from './application/ports/mime-spool.port.js';
import { ReadEmails } from './application/read-emails.query.js';
import { SendEmail } from './application/send-email.use-case.js';
import { EmailsController } from './infrastructure/http/emails.controller.js';
import { EmailRow } from './infrastructure/persistence/email.row.js';
import { PostgresEmailAcceptance } from './infrastructure/persistence/postgres-email-acceptance.js';
import { PostgresEmailRepository } from './infrastructure/persistence/postgres-email-repository.js';
import { RecentEmails } from './infrastructure/persistence/recent-emails.js';
import { StoringMimeSpool } from './infrastructure/storage/storing-mime-spool.js';
import { DirectoryMessageStore } from './infrastructure/storage/directory-message-store.js';
import { PostgresMessageStore } from './infrastructure/storage/postgres-message-store.js';

/** Accepting emails and telling what became of them. Wants an `OutboundQueue` from whoever delivers. */
@Module({
  imports: [IdentityModule, DomainsModule, TypeOrmModule.forFeature([EmailRow])],
  providers: [
    { provide: EmailAcceptance, useClass: PostgresEmailAcceptance },
    { provide: EmailRepository, useClass: PostgresEmailRepository },
    {
      provide: MessageStore,
      inject: [Adapters, Config, Database],
      useFactory: (adapters: Adapters, config: Config, database: Database) =>
        adapters.choose(MessageStore, () => configuredStore(config, database)),
    },
    { provide: MimeSpool, useClass: StoringMimeSpool },
    RecentEmails,
    SendEmail,
    ReadEmails,
    OutgoingEmails,
  ],
  exports: [SendEmail, ReadEmails, OutgoingEmails],
})
export class EmailsModule {}

@Module({ imports: [EmailsModule, IdentityModule], controllers: [EmailsController] })
export class EmailsHttpModule {}

function configuredStore({ values }: Config, database: Database): MessageStore {
  switch (values.messageStore) {
    case 'postgres':
      return new PostgresMessageStore(database);
    case 'directory':
      return new DirectoryMessageStore(join(values.dataDir, 'messages'));
    case 's3':
      throw new Error('MESSAGE_STORE=s3 needs the S3 adapter');
  }
}
