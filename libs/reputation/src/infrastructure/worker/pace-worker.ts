import { Clock } from '#kernel';
import { Timers } from '#platform/timers';
import { ProcessNotifications } from '#postgres/database';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { AnnounceWarmUp } from '../../application/announce-warm-up.js';
import { PaceOfSenders } from '../../application/pace-of-senders.js';
import { paceChanged } from '../../application/pace-changed.js';
import { WarmUps } from '../../application/ports/warm-ups.port.js';

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
