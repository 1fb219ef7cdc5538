import { setTimeout as delay } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ProcessNotifications } from '#postgres/database';
import { WorkSearch } from '#postgres/events';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { LeasedWork, WorkHost } from '#queue/leases';
import { AdvanceRuns } from '../../application/advance-runs.use-case.js';
import { DoEffects } from '../../application/do-effects.js';
import { FollowDates } from '../../application/follow-dates.use-case.js';
import { FollowSegments } from '../../application/follow-segments.use-case.js';
import { MakeCalls } from '../../application/make-calls.use-case.js';
import { NoteEvents } from '../../application/note-events.use-case.js';
import { automationsHaveWork } from '../../application/ports/event-queue.port.js';
import { RunQueue } from '../../application/ports/run-queue.port.js';
import { WatchedSegment } from '../../application/ports/segment-watch.port.js';
import { callsAreDue, LeasedCall } from '../../application/ports/step-calls.port.js';
import { StartRuns } from '../../application/start-runs.use-case.js';

const eventsOrRuns = `(SELECT min(position) FROM custom_event_occurrences) IS NOT NULL
  OR (SELECT min(due_at) FROM automation_runs) <= $1`;
/** The longest wait of a step that is due, and of an event whose wake-up was lost. */
const searchMs = 1_000;
const leftovers = `(SELECT min(kept_until) FROM automation_kept_events) <= now()
  OR (SELECT min(since) FROM automation_budgets) < now() - interval '1 day'
  OR (SELECT id FROM automations WHERE stopped_at IS NOT NULL ORDER BY id LIMIT 1) IS NOT NULL`;
const tidyMs = 5_000;
/** The longest rest between two slices. */
const maxRestMs = 200;
/** The rest after a slice of events, so that the next one gathers: a slice of one event costs nearly as much as one of fifty. */
const gatherMs = 10;

/**
 * Starts and advances the runs of all teams until nothing is due, in every worker. Workers skip what another worker has
 * locked, so that a slice of events and a slice of runs are done in turn in each of them.
 */
@Injectable()
export class AutomationWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private working: Promise<void> | undefined;
  private again = false;
  private isStopping = false;

  constructor(
    private readonly startRuns: StartRuns,
    private readonly advanceRuns: AdvanceRuns,
    private readonly queue: RunQueue,
    private readonly notifications: ProcessNotifications,
    private readonly workSearch: WorkSearch,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.notifications.on(automationsHaveWork, () => this.wake());
    this.workSearch.every(searchMs, 'running automations', eventsOrRuns, () => this.search());
    this.workSearch.every(tidyMs, 'tidying automations', leftovers, () => this.tidy());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.working?.catch(() => undefined);
  }

  private wake(): void {
    this.search().catch((error: unknown) =>
      this.logger.warn({ error }, 'running automations failed; it is tried again'),
    );
  }

  /** One search at a time: a wake-up that comes meanwhile is followed by another one. */
  private search(): Promise<void> {
    this.again = true;
    this.working ??= this.work().finally(() => (this.working = undefined));
    return this.working;
  }

  private async work(): Promise<void> {
    while (this.again && !this.isStopping) {
      this.again = false;
      const startedAt = performance.now();
      let started = 0;
      let advanced = 0;
      try {
        started = await this.startRuns.step(this.advanceRuns.isOtherMailComing);
      } finally {
        // Runs go on also if an event cannot be dealt with.
        advanced = await this.advanceRuns.step();
      }
      if (started + advanced === 0) continue;
      this.again = true;
      // A quarter longer than the slices took: other mail waits for this thread and for PostgreSQL behind one after the other.
      const restMs = Math.min(1.25 * (performance.now() - startedAt), maxRestMs);
      if (this.advanceRuns.isOtherMailComing) await delay(restMs);
      else if (advanced === 0) await delay(gatherMs);
    }
  }

  private async tidy(): Promise<void> {
    while (!this.isStopping && (await this.queue.tidy()));
  }
}

/** Makes the calls that runs wait for, in every worker. */
@Injectable()
export class CallsWorker extends LeasedWork<LeasedCall> {
  constructor(
    host: WorkHost,
    private readonly calls: MakeCalls,
  ) {
    super(host, {
      task: 'calling for automations',
      found: '(SELECT team_id FROM automation_calls ORDER BY team_id, due_at LIMIT 1) IS NOT NULL',
      everyMs: 1_000,
      wokenBy: callsAreDue,
      maxLeases: 64,
    });
  }

  protected claim(limit: number): Promise<readonly LeasedCall[]> {
    return this.calls.lease(limit);
  }

  protected work(call: LeasedCall): Promise<void> {
    return this.calls.make(call);
  }
}

const changedTriggers =
  '(SELECT min(turn_at) FROM automation_date_triggers WHERE is_removed OR NOT is_scanned) IS NOT NULL';
const datesOrTriggers = `${changedTriggers}
  OR (SELECT id FROM automation_changed_contacts ORDER BY team_id, id LIMIT 1) IS NOT NULL
  OR (SELECT min(due_at) FROM automation_dates) <= $1`;
const searchDatesMs = 1_000;
const tidyDatesMs = 5_000;
/** The longest rest between two portions. */
const maxDatesRestMs = 200;

/** Follows the dates of contacts in every worker. Workers skip what another one has locked. */
@Injectable()
export class DatesWorker implements BeforeApplicationShutdown {
  private isStopping = false;

  constructor(
    search: WorkSearch,
    private readonly dates: FollowDates,
    private readonly effects: DoEffects,
  ) {
    search.every(searchDatesMs, 'following the dates of contacts', datesOrTriggers, () => this.follow());
    search.every(tidyDatesMs, 'removing the dates of automations', changedTriggers, () => this.tidy());
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  private async follow(): Promise<void> {
    while (!this.isStopping) {
      const startedAt = performance.now();
      if (!(await this.dates.step())) return;
      // Other mail waits for this thread behind one portion after the other.
      if (this.effects.isOtherMailComing) await delay(Math.min(performance.now() - startedAt, maxDatesRestMs));
    }
  }

  private async tidy(): Promise<void> {
    while (!this.isStopping && (await this.dates.tidy()));
  }
}

/** Watches segments with filters in every worker, one at a time in each: a look keeps a processor of PostgreSQL busy. */
@Injectable()
export class SegmentsWorker extends LeasedWork<WatchedSegment> {
  constructor(
    host: WorkHost,
    private readonly segments: FollowSegments,
  ) {
    super(host, {
      task: 'watching segments',
      found: '(SELECT min(due_at) FROM automation_watched_segments) <= $1',
      everyMs: 1_000,
    });
  }

  protected async claim(): Promise<readonly WatchedSegment[]> {
    const segment = await this.segments.lease();
    return segment === undefined ? [] : [segment];
  }

  protected work(segment: WatchedSegment): Promise<void> {
    return this.segments.look(segment);
  }
}

const pauseMs = 1_000;

/** Writes down once a second which events this process has seen, and at its stop. */
@Injectable()
export class SeenEventsWorker implements BeforeApplicationShutdown {
  constructor(
    timers: Timers,
    private readonly events: NoteEvents,
  ) {
    timers.every(pauseMs, 'writing down which events are sent', () => events.flush());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.events.flush().catch(() => undefined);
  }
}
