import { Injectable } from '@nestjs/common';
import { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { Database } from '#postgres/database';
import { DiskGuard } from '#observability/disk';

/** Time limit of the check. Load balancers repeat it often and do not wait long for a response. */
const maxAnswerMs = 900;

@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    const silence = silenceAfter(maxAnswerMs);
    try {
      await Promise.race([this.database.query({ text: 'SELECT 1' }), silence.promise]);
      return indicator.up();
    } catch {
      return indicator.down('PostgreSQL does not answer');
    } finally {
      silence.end();
    }
  }
}

function silenceAfter(ms: number): { readonly promise: Promise<never>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('There was no answer in time')), ms);
  });
  return { promise, end: () => clearTimeout(timer) };
}

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
