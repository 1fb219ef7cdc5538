import { Config } from '#platform/config';
import { Timers } from '#platform/timers';
import { ProcessNotifications } from '#postgres/database';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { poolsChanged } from './postgres-pool-repository.js';
import { StoredSources } from '../sites/stored-sources.js';

/** A domain with a pool may be deleted without a notification, and the machine may get or lose an address. */
const everyMs = 60_000;
/** When a reading that failed is repeated. */
const againMs = 1_000;

/** Keeps the pools in a worker's memory fresh, from before it delivers. */
@Injectable()
export class SourceRefresh implements OnModuleInit {
  private dueAt = 0;

  constructor(
    private readonly config: Config,
    private readonly timers: Timers,
    private readonly notifications: ProcessNotifications,
    private readonly sources: StoredSources,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.config.values.deliveryTransport !== 'mx') return;
    this.notifications.on(poolsChanged, () => {
      this.dueAt = 0;
      // The timer logs it, and tries it again.
      this.refreshIfDue().catch(() => undefined);
    });
    this.timers.every(againMs, 'reading the pools of addresses', () => this.refreshIfDue());
    await this.refreshIfDue();
  }

  private async refreshIfDue(): Promise<void> {
    if (performance.now() < this.dueAt) return;
    await this.sources.refresh();
    this.dueAt = performance.now() + everyMs;
  }
}
