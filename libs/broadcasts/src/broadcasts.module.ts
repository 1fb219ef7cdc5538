import { AudienceModule, ContactValues, FindGroups } from '#audience';
import { AuthorizeSender, EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Config } from '#platform/config';
import { Module } from '@nestjs/common';
import { ReadAudienceHealth, ReadBroadcasts } from './application/read-broadcasts.query.js';
import { Broadcasts } from './application/broadcasts.use-case.js';
import { CheckBroadcast } from './application/check-broadcast.js';
import { OpenMailings } from './application/open-mailings.js';
import { BroadcastRepository } from './application/ports/broadcast-repository.port.js';
import { BroadcastRuns } from './application/ports/broadcast-runs.port.js';
import { BroadcastStatistics } from './application/ports/broadcast-statistics.port.js';
import { FanOutBroadcasts, StartBroadcasts } from './application/send-broadcasts.use-case.js';
import { TryBroadcast } from './application/try-broadcast.use-case.js';
import { BroadcastControlController } from './infrastructure/http/broadcast-control.controller.js';
import { BroadcastStatisticsController } from './infrastructure/http/broadcast-statistics.controller.js';
import { BroadcastsController } from './infrastructure/http/broadcasts.controller.js';
import { ContactBroadcastsController } from './infrastructure/http/contact-broadcasts.controller.js';
import { BroadcastsData } from './infrastructure/persistence/broadcasts-data.js';
import { PostgresBroadcastRuns } from './infrastructure/persistence/fan-out/postgres-broadcast-runs.js';
import { PostgresBroadcastRepository } from './infrastructure/persistence/postgres-broadcast-repository.js';
import { PostgresBroadcastStatistics } from './infrastructure/persistence/postgres-broadcast-statistics.js';
import { BroadcastResultsConsumer } from './infrastructure/persistence/progress/broadcast-results-consumer.js';
import { FanOutWorker } from './infrastructure/worker/fan-out-worker.js';

const useCases = [Broadcasts, ReadAudienceHealth, ReadBroadcasts, StartBroadcasts, TryBroadcast];

/** One content for the members of a segment. */
@Module({
  imports: [AudienceModule, EmailsModule],
  providers: [
    { provide: BroadcastRepository, useClass: PostgresBroadcastRepository },
    { provide: BroadcastStatistics, useClass: PostgresBroadcastStatistics },
    BroadcastsData,
    {
      provide: CheckBroadcast,
      inject: [AuthorizeSender, FindGroups, ContactValues, Config],
      useFactory: (sender: AuthorizeSender, groups: FindGroups, values: ContactValues, config: Config) =>
        new CheckBroadcast(sender, groups, values, config.values.requireUnsubscribeLink),
    },
    ...useCases,
  ],
  exports: [BroadcastRepository, ...useCases],
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

/** Sends broadcasts to their audiences, and counts the results. */
@Module({
  imports: [AudienceModule, BroadcastsModule, EmailsModule],
  providers: [
    { provide: BroadcastRuns, useClass: PostgresBroadcastRuns },
    BroadcastResultsConsumer,
    FanOutBroadcasts,
    FanOutWorker,
    OpenMailings,
  ],
})
export class BroadcastsWorkerModule {}
