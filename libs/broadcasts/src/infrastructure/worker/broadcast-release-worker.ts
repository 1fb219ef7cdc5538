import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ReleaseBroadcasts } from '../../application/release-broadcasts.use-case.js';

/** Interval between searches, and so the longest wait of a due broadcast. A search is one short indexed statement. */
const everyMs = 1_000;

/** Starts due broadcasts, in every worker. Workers skip broadcasts that another worker is starting. */
@Injectable()
export class BroadcastReleaseWorker implements OnApplicationBootstrap {
  constructor(
    private readonly release: ReleaseBroadcasts,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'starting scheduled broadcasts', () => this.release.execute());
  }
}
