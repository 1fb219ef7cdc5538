import { IdentityModule } from '#identity';
import { mailShare } from '#platform/database';
import { Module } from '@nestjs/common';
import { DeliveryTraces } from './application/ports/delivery-traces.port.js';
import { HoldLane } from './application/hold-lane.use-case.js';
import { LaneDesk } from './application/ports/lane-desk.port.js';
import { ReadLanes } from './application/read-lanes.query.js';
import { LanesController } from './infrastructure/http/lanes.controller.js';
import { PostgresLaneDesk } from './infrastructure/persistence/postgres-lane-desk.js';
import { TraceEmail } from './application/trace-email.query.js';
import { TraceController } from './infrastructure/http/trace.controller.js';
import { PostgresDeliveryTraces } from './infrastructure/persistence/postgres-delivery-traces.js';

/** The part of delivery that the api role serves over HTTP. */
@Module({
  imports: [IdentityModule],
  controllers: [TraceController, LanesController],
  providers: [
    mailShare,
    { provide: DeliveryTraces, useClass: PostgresDeliveryTraces },
    TraceEmail,
    { provide: LaneDesk, useClass: PostgresLaneDesk },
    HoldLane,
    ReadLanes,
  ],
})
export class DeliveryHttpModule {}
