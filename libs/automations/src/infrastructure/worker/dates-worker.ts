import { setTimeout as delay } from 'node:timers/promises';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DoEffects } from '../../application/do-effects.js';
import { FollowDates } from '../../application/follow-dates.use-case.js';

const searchMs = 1_000;
const tidyMs = 5_000;
/** The longest rest between two portions. */
const maxRestMs = 200;

/** Follows the dates of contacts in every worker. Workers skip what another one has locked. */
@Injectable()
export class DatesWorker implements BeforeApplicationShutdown {
  private isStopping = false;

  constructor(
    timers: Timers,
    private readonly dates: FollowDates,
    private readonly effects: DoEffects,
  ) {
    timers.every(searchMs, 'following the dates of contacts', () => this.follow());
    timers.every(tidyMs, 'removing the dates of automations', () => this.tidy());
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  private async follow(): Promise<void> {
    while (!this.isStopping) {
      const startedAt = performance.now();
      if (!(await this.dates.step())) return;
      // Other mail waits for this thread behind one portion after the other.
      if (this.effects.isOtherMailComing) await delay(Math.min(performance.now() - startedAt, maxRestMs));
    }
  }

  private async tidy(): Promise<void> {
    while (!this.isStopping && (await this.dates.tidy()));
  }
}
