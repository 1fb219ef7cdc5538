import { DiskGuard } from '#observability/disk';
import { Injectable } from '@nestjs/common';
import { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

/**
 * Shows the state of the disk, but is always up: a process with a full disk still serves requests that store neither
 * mail nor imports.
 */
@Injectable()
export class DiskHealth {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly guard: DiskGuard,
  ) {}

  check(): HealthIndicatorResult {
    return this.indicators.check('disk').up({ accepting_mail: !this.guard.isLow });
  }
}
