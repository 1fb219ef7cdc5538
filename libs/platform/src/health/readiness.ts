import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

/** Turns unready as soon as a stop begins, so that a load balancer sends no new work. */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(private readonly indicators: HealthIndicatorService) {}

  get isStopping(): boolean {
    return this.stopping;
  }

  /** From now on the process takes what comes, and asks for nothing more. */
  stop(): void {
    this.stopping = true;
  }

  beforeApplicationShutdown(): void {
    this.stop();
  }

  check(): HealthIndicatorResult {
    const indicator = this.indicators.check('process');
    return this.stopping ? indicator.down('The process is stopping') : indicator.up();
  }
}
