import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { Notices } from '#kernel';
import { Config } from '#platform/config';
import { DynamicModule, Global, Module } from '@nestjs/common';
import { NoticeOutbox } from './application/ports/notice-outbox.port.js';
import { NoticePosts } from './application/ports/notice-posts.port.js';
import { NoticeAddresses, SendNotices } from './application/send-notices.use-case.js';
import { HttpNoticePosts } from './infrastructure/http/http-notice-posts.js';
import { noticeSender, NoticesPurge, PostgresNotices } from './infrastructure/persistence/postgres-notices.js';
import { PostgresNoticeOutbox } from './infrastructure/persistence/postgres-notice-outbox.js';
import { NoticesWorker } from './infrastructure/worker/notices-worker.js';

/** Notices of the service to its operator. Global, so that a lib that announces something needs only the port. */
// oxlint-disable-next-line house/global-module -- provides the `Notices` of all libs that announce something
@Global()
@Module({
  providers: [
    { provide: NoticePosts, useClass: HttpNoticePosts },
    { provide: Notices, useClass: PostgresNotices },
    NoticesPurge,
  ],
  exports: [Notices, NoticePosts],
})
export class NoticesModule {}

@Module({})
export class NoticesWorkerModule {
  /** Without a sender and a URL nothing can be sent. */
  static forRoot(config: Config): DynamicModule {
    const { noticesTo: to, noticesUrls } = config.values;
    const from = noticeSender(config);
    if (from === undefined && noticesUrls.length === 0) return { module: NoticesWorkerModule };
    return {
      module: NoticesWorkerModule,
      imports: [DomainsModule, EmailsModule],
      providers: [
        { provide: NoticeAddresses, useValue: { to, from } satisfies NoticeAddresses },
        { provide: NoticeOutbox, useClass: PostgresNoticeOutbox },
        SendNotices,
        NoticesWorker,
      ],
    };
  }
}
