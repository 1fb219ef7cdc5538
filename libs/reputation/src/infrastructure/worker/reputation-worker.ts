import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { WatchReputation } from '../../application/watch-reputation.use-case.js';

const everyMs = 1_000;
/** Pairs of one turn, so that a stop does not wait for many. */
const maxAtOnce = 100;

/** Looks at reputations that may have changed. Every worker runs it; each skips the pairs that another one looks at. */
@Injectable()
export class ReputationWorker implements OnApplicationBootstrap {
  constructor(
    private readonly timers: Timers,
    private readonly watch: WatchReputation,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'looking at reputations', () => this.look());
  }

  private async look(): Promise<void> {
    for (let no = 0; no < maxAtOnce; no++) {
      if (!(await this.watch.lookAtNext())) return;
    }
  }
}
