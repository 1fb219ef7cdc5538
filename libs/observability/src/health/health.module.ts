import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseHealth, DiskHealth } from './health-indicators.js';
import { HealthController } from './health.controller.js';
import { MetricsAccess } from './metrics-access.js';
import { Readiness } from './readiness.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [DatabaseHealth, DiskHealth, MetricsAccess, Readiness],
})
export class HealthModule {}
