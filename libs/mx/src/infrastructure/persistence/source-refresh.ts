import { Config } from '#platform/config';
import { Timers } from '#platform/timers';
import { ProcessNotifications } from '#postgres/database';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { poolsChanged } from './changing-pools.js';
import { StoredSources } from '../sites/stored-sources.js';

/** A domain with a pool may be deleted without a notification, and the machine may get or lose an address. */
const everyMs = 15_000;

/** Keeps the pools in a worker's memory fresh, from before it delivers. */
@Injectable()
export class SourceRefresh implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly timers: Timers,
    private readonly notifications: ProcessNotifications,
    private readonly sources: StoredSources,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.config.values.deliveryTransport !== 'mx') return;
    this.notifications.on(poolsChanged, () => void this.sources.refresh().catch(() => undefined));
    this.timers.every(everyMs, 'reading the pools of addresses', () => this.sources.refresh());
    await this.sources.refresh();
  }
}
