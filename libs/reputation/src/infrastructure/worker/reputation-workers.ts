import { Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { Timers } from '#platform/timers';
import { Clock } from '#kernel';
import { ProcessNotifications } from '#postgres/database';
import { WorkSearch } from '#postgres/events';
import { AnnounceWarmUp } from '../../application/announce-warm-up.js';
import { PaceOfSenders } from '../../application/pace-of-senders.js';
import { paceChanged } from '../../application/ports/reputation-guard.port.js';
import { WarmUps } from '../../application/ports/warm-ups.port.js';
import { WatchReputation } from '../../application/watch-reputation.use-case.js';

const pairsToLookAt = `(SELECT min(due_at) FROM reputation_pending) <= now()
  OR (SELECT min(look_at) FROM reputation_guards WHERE step <> 'none' OR NOT is_settled) <= $1`;
const everyMs = 1_000;
/** Pairs of one turn, so that a stop does not wait for many. */
const maxAtOnce = 100;

/** Looks at reputations that may have changed. Every worker runs it; each skips the pairs that another one looks at. */
@Injectable()
export class ReputationWorker implements OnApplicationBootstrap {
  constructor(
    private readonly search: WorkSearch,
    private readonly watch: WatchReputation,
  ) {}

  onApplicationBootstrap(): void {
    this.search.every(everyMs, 'looking at reputations', pairsToLookAt, () => this.look());
  }

  private async look(): Promise<void> {
    for (let no = 0; no < maxAtOnce; no++) {
      if (!(await this.watch.lookAtNext())) return;
    }
  }
}

/** A notification may be lost. */
const refreshEveryMs = 5_000;
const endEveryMs = 60_000;

/** Keeps a worker's knowledge of whose mail is slowed fresh, from before it delivers, and ends warm-ups that have reached their end. */
@Injectable()
export class PaceWorker implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly notifications: ProcessNotifications,
    private readonly pace: PaceOfSenders,
    private readonly warmUps: WarmUps,
    private readonly announcements: AnnounceWarmUp,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.on(paceChanged, () => void this.pace.refresh().catch(() => undefined));
    this.timers.every(refreshEveryMs, 'reading whose mail is slowed', () => this.pace.refresh());
    this.timers.every(endEveryMs, 'ending warm-ups', () => this.endWarmUps());
    await this.pace.refresh();
  }

  private endWarmUps(): Promise<void> {
    const now = this.clock.now();
    return this.warmUps.endFinished(now, (ended, transaction) => this.announcements.ended(ended, now, transaction));
  }
}
