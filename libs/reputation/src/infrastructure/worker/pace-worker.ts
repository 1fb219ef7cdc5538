import { Timers } from '#platform/timers';
import { ProcessNotifications } from '#postgres/database';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { PaceOfSenders } from '../../application/pace-of-senders.js';
import { paceChanged } from '../../application/pace-changed.js';

/** A notification may be lost. */
const everyMs = 5_000;

/** Keeps a worker's knowledge of whose mail is slowed fresh, from before it delivers. */
@Injectable()
export class PaceWorker implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly notifications: ProcessNotifications,
    private readonly pace: PaceOfSenders,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.on(paceChanged, () => void this.pace.refresh().catch(() => undefined));
    this.timers.every(everyMs, 'reading whose mail is slowed', () => this.pace.refresh());
    await this.pace.refresh();
  }
}
