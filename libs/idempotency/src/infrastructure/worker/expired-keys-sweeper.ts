import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { RemoveExpiredKeys } from '../../application/remove-expired-keys.use-case.js';

const everyMs = 60_000;

/** Deletes expired keys once a minute. */
@Injectable()
export class ExpiredKeysSweeper implements OnApplicationBootstrap {
  constructor(
    private readonly removeExpiredKeys: RemoveExpiredKeys,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'removing expired idempotency keys', () => this.removeExpiredKeys.remove());
  }
}
