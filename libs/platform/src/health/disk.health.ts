import { DiskGuard } from '#platform/disk';
import { Injectable } from '@nestjs/common';
import { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

/** Shown, but no reason to take the process away: it answers everything else, and refuses mail in the contract's words. */
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
