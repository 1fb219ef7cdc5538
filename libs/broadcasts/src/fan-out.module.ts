import { AudienceModule } from '#audience';
import { EmailsModule } from '#emails';
import { Module } from '@nestjs/common';
import { DecideRest } from './application/fan-out/decide-rest.use-case.js';
import { FixAudience } from './application/fan-out/fix-audience.use-case.js';
import { OpenMailings } from './application/fan-out/open-mailings.js';
import { RunBroadcasts } from './application/fan-out/run-broadcasts.use-case.js';
import { SendSlice } from './application/fan-out/send-slice.use-case.js';
import { TidyBroadcasts } from './application/fan-out/tidy-broadcasts.use-case.js';
import { RecordProgress } from './application/progress/record-progress.use-case.js';
import { BroadcastRuns } from './application/ports/broadcast-runs.port.js';
import { BroadcastOutcomes } from './application/ports/broadcast-outcomes.port.js';
import { LongWork } from './application/ports/long-work.port.js';
import { TimeZones } from './application/ports/time-zones.port.js';
import { BroadcastsModule } from './broadcasts.module.js';
import { PostgresBroadcastRuns } from './infrastructure/persistence/fan-out/postgres-broadcast-runs.js';
import { PostgresLongWork } from './infrastructure/persistence/fan-out/postgres-long-work.js';
import { PostgresTimeZones } from './infrastructure/persistence/fan-out/postgres-time-zones.js';
import { PostgresBroadcastOutcomes } from './infrastructure/persistence/progress/postgres-broadcast-outcomes.js';
import { FanOutWorker } from './infrastructure/worker/fan-out-worker.js';
import { ProgressWorker } from './infrastructure/worker/progress-worker.js';

/** Sends broadcasts to their audiences. */
@Module({
  imports: [AudienceModule, BroadcastsModule, EmailsModule],
  providers: [
    { provide: BroadcastRuns, useClass: PostgresBroadcastRuns },
    { provide: BroadcastOutcomes, useClass: PostgresBroadcastOutcomes },
    { provide: LongWork, useClass: PostgresLongWork },
    { provide: TimeZones, useClass: PostgresTimeZones },
    DecideRest,
    FixAudience,
    OpenMailings,
    RecordProgress,
    RunBroadcasts,
    SendSlice,
    TidyBroadcasts,
    FanOutWorker,
    ProgressWorker,
  ],
})
export class BroadcastFanOutModule {}
