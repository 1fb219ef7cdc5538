import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Retention } from './retention.js';

const firstMs = 60_000;
/** A day is over once a day. What could not be done the first time, for a lock or a day still needed, is tried again. */
const everyMs = 600_000;

@Injectable()
export class RetentionWorker implements OnApplicationBootstrap {
  constructor(
    private readonly retention: Retention,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'dropping old days', () => this.retention.execute(), firstMs);
  }
}
