import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { IdempotencyKeys } from './ports/idempotency-keys.port.js';

/** Keeps each DELETE short: its row locks are held for a few milliseconds. */
const batchSize = 2_000;

@Injectable()
export class RemoveExpiredKeys {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly clock: Clock,
  ) {}

  async remove(): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await this.keys.removeExpired(this.clock.now(), batchSize);
      removed += count;
      if (count < batchSize) return removed;
    }
  }
}
