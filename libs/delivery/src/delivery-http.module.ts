import { IdentityModule } from '#identity';
import { mailShare } from '#platform/database';
import { Module } from '@nestjs/common';
import { DeliveryTraces } from './application/ports/delivery-traces.port.js';
import { TraceEmail } from './application/trace-email.query.js';
import { TraceController } from './infrastructure/http/trace.controller.js';
import { PostgresDeliveryTraces } from './infrastructure/persistence/postgres-delivery-traces.js';

/** The part of delivery that the api role serves over HTTP. */
@Module({
  imports: [IdentityModule],
  controllers: [TraceController],
  providers: [mailShare, { provide: DeliveryTraces, useClass: PostgresDeliveryTraces }, TraceEmail],
})
export class DeliveryHttpModule {}
