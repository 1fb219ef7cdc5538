import { DomainError } from '#kernel';
import { Metrics } from '#observability/metrics';
import { Controller, Get, Header, Req } from '@nestjs/common';
import { HealthCheck, HealthCheckResult, HealthCheckService } from '@nestjs/terminus';
import type { FastifyRequest } from 'fastify';
import { Undocumented } from '#http/openapi';
import { DatabaseHealth, DiskHealth } from './health-indicators.js';
import { MetricsAccess } from './metrics-access.js';
import { Readiness } from './readiness.js';

/** No API documentation, because it would load a library that a start does not need. */
const undescribed = { noCache: true, swaggerDocumentation: false };

/**
 * Endpoints for load balancers, orchestrators and Prometheus. They are not part of the wire contract and need no API
 * key.
 */
@Controller()
@Undocumented()
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly database: DatabaseHealth,
    private readonly disk: DiskHealth,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
  ) {}

  /** The process is alive. */
  @Get('healthz')
  @HealthCheck(undescribed)
  alive(): Promise<HealthCheckResult> {
    return this.checks.check([]);
  }

  /** The process can take work: the database responds, the event loop is not frozen and the process is not stopping. */
  @Get('readyz')
  @HealthCheck(undescribed)
  ready(): Promise<HealthCheckResult> {
    return this.checks.check([() => this.readiness.check(), () => this.database.check(), () => this.disk.check()]);
  }

  /** For Prometheus, with METRICS_TOKEN or from this machine. All other requests get status 404. */
  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  exposition(@Req() request: FastifyRequest): Promise<string> {
    if (!this.access.allows(request))
      throw new DomainError('not_found', 'not_found', 'The requested endpoint does not exist.');
    return this.metrics.exposition();
  }
}
