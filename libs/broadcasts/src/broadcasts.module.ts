import { AudienceModule } from '#audience';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { ChangeBroadcast } from './application/change-broadcast.js';
import { CheckBroadcast } from './application/check-broadcast.js';
import { ControlBroadcast } from './application/control-broadcast.use-case.js';
import { ListContactBroadcasts } from './application/list-contact-broadcasts.query.js';
import { BroadcastRepository } from './application/ports/broadcast-repository.port.js';
import { BroadcastSignal } from './application/ports/broadcast-signal.port.js';
import { BroadcastStatistics } from './application/ports/broadcast-statistics.port.js';
import { ContactBroadcasts } from './application/ports/contact-broadcasts.port.js';
import { PreviewBroadcast } from './application/preview-broadcast.query.js';
import { ReadBroadcasts } from './application/read-broadcasts.query.js';
import { ReleaseBroadcasts } from './application/release-broadcasts.use-case.js';
import { StartBroadcast } from './application/start-broadcast.use-case.js';
import { TestBroadcast } from './application/test-broadcast.use-case.js';
import { WriteBroadcasts } from './application/write-broadcasts.use-case.js';
import { BroadcastControlController } from './infrastructure/http/broadcast-control.controller.js';
import { BroadcastStatisticsController } from './infrastructure/http/broadcast-statistics.controller.js';
import { BroadcastsController } from './infrastructure/http/broadcasts.controller.js';
import { ContactBroadcastsController } from './infrastructure/http/contact-broadcasts.controller.js';
import { BroadcastsData } from './infrastructure/persistence/broadcasts-data.js';
import { PostgresBroadcastRepository } from './infrastructure/persistence/postgres-broadcast-repository.js';
import { PostgresBroadcastStatistics } from './infrastructure/persistence/postgres-broadcast-statistics.js';
import { PostgresContactBroadcasts } from './infrastructure/persistence/postgres-contact-broadcasts.js';
import { NotifyingBroadcastSignal } from './infrastructure/signals/notifying-broadcast-signal.js';
import { BroadcastReleaseWorker } from './infrastructure/worker/broadcast-release-worker.js';

/** One content for the members of a segment. */
@Module({
  imports: [AudienceModule, EmailsModule],
  providers: [
    { provide: BroadcastRepository, useClass: PostgresBroadcastRepository },
    { provide: BroadcastSignal, useClass: NotifyingBroadcastSignal },
    { provide: BroadcastStatistics, useClass: PostgresBroadcastStatistics },
    { provide: ContactBroadcasts, useClass: PostgresContactBroadcasts },
    BroadcastsData,
    ChangeBroadcast,
    CheckBroadcast,
    ControlBroadcast,
    ListContactBroadcasts,
    PreviewBroadcast,
    ReadBroadcasts,
    ReleaseBroadcasts,
    StartBroadcast,
    TestBroadcast,
    WriteBroadcasts,
  ],
  exports: [
    BroadcastRepository,
    BroadcastSignal,
    ControlBroadcast,
    ListContactBroadcasts,
    PreviewBroadcast,
    ReadBroadcasts,
    ReleaseBroadcasts,
    StartBroadcast,
    TestBroadcast,
    WriteBroadcasts,
  ],
})
export class BroadcastsModule {}

@Module({
  imports: [BroadcastsModule, IdentityModule],
  controllers: [
    BroadcastsController,
    BroadcastControlController,
    BroadcastStatisticsController,
    ContactBroadcastsController,
  ],
})
export class BroadcastsHttpModule {}

@Module({ imports: [BroadcastsModule], providers: [BroadcastReleaseWorker] })
export class BroadcastsWorkerModule {}
