import { EventLoop } from '#observability/event-loop';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

/**
 * Reports that the process is not ready, from the beginning of a stop and for some seconds after the event loop was
 * frozen, so that a load balancer sends no new work. During a freeze this check cannot respond: see HEALTH_LISTEN.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly eventLoop: EventLoop,
  ) {}

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Makes the process unready. It still serves requests that arrive. */
  stop(): void {
    this.stopping = true;
  }

  beforeApplicationShutdown(): void {
    this.stop();
  }

  check(): HealthIndicatorResult {
    const indicator = this.indicators.check('process');
    if (this.stopping) return indicator.down('The process is stopping');
    return this.eventLoop.hasJustBeenFrozen ? indicator.down('The event loop was frozen') : indicator.up();
  }
}
