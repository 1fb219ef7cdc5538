import { DomainsModule } from '#domains';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { mailShare } from '#postgres/database';
import { TrackingModule } from '#tracking';
import { UnsubscribeLinksModule } from '#unsubscribe';
import { Module } from '@nestjs/common';
import { DeliveryTraces } from './application/ports/delivery-queue.port.js';
import { OperateLanes } from './application/operate-lanes.use-case.js';
import { LaneDesk, RegionDesk } from './application/ports/lanes.port.js';
import { MessageRenderer } from './application/ports/message-renderer.port.js';
import { ReadSource } from './application/read-source.query.js';
import { LanesController } from './infrastructure/http/lanes.controller.js';
import { SourceController } from './infrastructure/http/source.controller.js';
import { SourceRenderer } from './infrastructure/rendering/source-renderer.js';
import { PostgresRegionDesk } from './infrastructure/persistence/postgres-region-desk.js';
import { PostgresLaneDesk } from './infrastructure/persistence/postgres-lane-desk.js';
import { TraceController } from './infrastructure/http/trace.controller.js';
import { PostgresDeliveryTraces } from './infrastructure/persistence/postgres-delivery-traces.js';

/** The part of delivery that the api role serves over HTTP. */
@Module({
  imports: [DomainsModule, EmailsModule, IdentityModule, TrackingModule, UnsubscribeLinksModule],
  controllers: [TraceController, SourceController, LanesController],
  providers: [
    mailShare,
    { provide: DeliveryTraces, useClass: PostgresDeliveryTraces },
    { provide: MessageRenderer, useClass: SourceRenderer },
    ReadSource,
    { provide: LaneDesk, useClass: PostgresLaneDesk },
    { provide: RegionDesk, useClass: PostgresRegionDesk },
    OperateLanes,
  ],
  exports: [ReadSource],
})
export class DeliveryHttpModule {}
