import { BeforeApplicationShutdown, Global, Injectable, Module, OnApplicationBootstrap } from '@nestjs/common';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { withinStop } from '#platform/timers';
import { WorkSearch } from '#postgres/events';

/** What every `LeasedWork` uses of its process. */
@Injectable()
export class WorkHost {
  constructor(
    readonly search: WorkSearch,
    readonly notifications: ProcessNotifications,
    readonly logger: Logger,
  ) {}
}

export interface LeasedWorkOptions {
  /** For the log: completes "… failed; it is tried again". */
  readonly task: string;
  /** SQL: whether work is due, as `WorkSearch.every` takes it. */
  readonly found: string;
  /** The shortest pause between two searches, and so about the wait of work whose wake-up was lost, or that failed. */
  readonly everyMs: number;
  /** A notification (`ProcessNotifications`) that starts a search at once. */
  readonly wokenBy?: string;
  /** Leases that one process works on at once. */
  readonly maxLeases?: number;
  /** Interval of the heartbeats that `renew` sends while a lease is worked on. */
  readonly renewEveryMs?: number;
}

/**
 * Work that waits in rows and that any process may do. Each process leases a few rows, works on them, and leases the
 * next ones, until none is left. A poller of a feature is one class with `claim` and `work`:
 *
 *     @Injectable()
 *     export class ErasureWorker extends LeasedWork<LeasedErasure> {
 *       constructor(host: WorkHost, private readonly erasures: CarryOutErasures) {
 *         super(host, { task: 'erasing personal data', found: erasuresWait, everyMs: 2_000 });
 *       }
 *       protected claim = () => this.erasures.claim();
 *       protected work = (lease: LeasedErasure) => this.erasures.work(lease);
 *     }
 *
 * - The lease is a time in the row. After a process has died, another one claims the row when that time has passed.
 * - The order of `claim` makes the shares fair: the team first whose last turn is longest ago.
 * - A failure is logged. `work` itself says when its row is due again; the process searches again after `everyMs`.
 */
export abstract class LeasedWork<Lease> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Map<Promise<void>, Lease>();
  private readonly stopping = new AbortController();
  private searching: Promise<void> = Promise.resolve();
  private isSearching = false;
  private again = false;

  protected constructor(
    private readonly host: WorkHost,
    private readonly options: LeasedWorkOptions,
  ) {}

  /**
   * Leases rows that are due, at most `limit`, and skips those that other processes hold. An empty list: nothing is
   * due.
   */
  protected abstract claim(limit: number): Promise<readonly Lease[]>;

  /**
   * Works on one lease, and releases it at the end. After the signal it ends as soon as the work can be continued
   * elsewhere.
   */
  protected abstract work(lease: Lease, stopping: AbortSignal): Promise<void>;

  /** Heartbeat: makes the lease last on. No heartbeat comes after `work` has ended. */
  protected async renew(_lease: Lease): Promise<void> {}

  /** What this process works on now. */
  protected get held(): readonly Lease[] {
    return [...this.running.values()];
  }

  onApplicationBootstrap(): void {
    const { task, found, everyMs, wokenBy } = this.options;
    if (wokenBy !== undefined) this.host.notifications.on(wokenBy, () => void this.search().catch(this.failed));
    this.host.search.every(everyMs, task, found, () => this.search());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    // All of it may be ended at any point, because its lease ends too.
    await withinStop(this.ended());
  }

  private async ended(): Promise<void> {
    await this.searching.catch(() => undefined);
    await Promise.all(this.running.keys());
  }

  /** Searches of one process follow each other: one that is asked for meanwhile comes next. */
  private search(): Promise<void> {
    this.again = true;
    if (!this.isSearching) this.searching = this.claimAll();
    return this.searching;
  }

  /** Claims until nothing is due, or this process has its share. */
  private async claimAll(): Promise<void> {
    this.isSearching = true;
    try {
      while (this.again && !this.stopping.signal.aborted) {
        this.again = false;
        const limit = (this.options.maxLeases ?? 1) - this.running.size;
        const leases = limit > 0 ? await this.claim(limit) : [];
        for (const lease of leases) this.begin(lease);
        if (leases.length > 0) this.again = true;
      }
    } finally {
      this.isSearching = false;
    }
  }

  /** A success is followed by a search at once, a failure only after `everyMs`. */
  private begin(lease: Lease): void {
    const ended: Promise<void> = this.holding(lease).then(
      () => {
        this.running.delete(ended);
        this.search().catch(this.failed);
      },
      (error: unknown) => {
        this.running.delete(ended);
        this.failed(error);
      },
    );
    this.running.set(ended, lease);
  }

  private async holding(lease: Lease): Promise<void> {
    const { renewEveryMs } = this.options;
    if (renewEveryMs === undefined) return this.work(lease, this.stopping.signal);
    let renewal: Promise<unknown> = Promise.resolve();
    // oxlint-disable-next-line no-restricted-globals -- it ends with the work, which a stop waits for
    const timer = setInterval(() => {
      renewal = this.renew(lease).catch(() => undefined);
    }, renewEveryMs);
    try {
      await this.work(lease, this.stopping.signal);
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  private readonly failed = (error: unknown): void =>
    this.host.logger.warn({ error }, `${this.options.task} failed; it is tried again`);
}

@Global()
@Module({ providers: [WorkHost, WorkSearch], exports: [WorkHost, WorkSearch] })
export class WorkModule {}
