import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Retention } from './retention.js';

const firstMs = 60_000;
/**
 * More often than once a day, so that a removal that failed because of a lock, or a day that was still needed, is tried
 * again.
 */
const everyMs = 600_000;

@Injectable()
export class RetentionWorker implements OnApplicationBootstrap {
  constructor(
    private readonly retention: Retention,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'dropping old days', () => this.retention.run(), firstMs);
  }
}
