import { DynamicModule, Global, Injectable, Module, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Client } from 'pg';
import type { Gauge } from 'prom-client';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Database, longLimits, LongSessions, PartitionedTable } from '#postgres/database';
import { Metrics } from '#observability/metrics';
import { Timers } from '#platform/timers';
import { OldDays, RetainedTables, RetentionReport } from './old-days.js';
import { maxRemovedRows, PurgeMoment, Purges } from './purge.js';

/** What has outlived its use and is in no partition. */
@Injectable()
export class Leftovers {
  constructor(
    private readonly purges: Purges,
    private readonly database: Database,
  ) {}

  async remove(moment: PurgeMoment): Promise<void> {
    for (const statement of this.purges.all.flatMap((purge) => purge.leftovers(moment))) {
      while ((await this.database.execute({ ...statement, limits: longLimits })) === maxRemovedRows);
    }
    for (const purge of this.purges.all) await purge.removeOld(moment);
  }
}

/** An arbitrary constant, so that every process uses the same lock. */
export const retentionLock = 7_663_002;
const dayMs = 86_400_000;

/** Drops the days that are past `RETENTION_DAYS`, and what else the features' purges say has outlived its use. */
@Injectable()
export class Retention implements OnModuleDestroy {
  private session: Client | undefined;
  private readonly succeeded: Gauge;

  constructor(
    private readonly oldDays: OldDays,
    private readonly leftovers: Leftovers,
    private readonly sessions: LongSessions,
    private readonly clock: Clock,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    this.succeeded = metrics.gauge(
      'postrider_retention_last_success_timestamp_seconds',
      'When retention last ended well',
    );
  }

  /** Undefined while another process runs it. A run that fails is continued by the next one. */
  async run(): Promise<RetentionReport | undefined> {
    const session = await this.sessions.open('postrider-retention');
    this.session = session;
    try {
      const { rows } = await session.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [
        retentionLock,
      ]);
      if (rows[0]?.mine !== true) return undefined;
      const report = await this.oldDays.drop(session, this.moment().cutoff);
      await this.leftovers.remove(this.moment());
      this.succeeded.set(this.clock.now().getTime() / 1_000);
      return report;
    } finally {
      // Ending the session releases the lock in any state.
      this.session = undefined;
      await session.end();
    }
  }

  /** A stop does not wait until a day has been read. The next run continues from there. */
  async onModuleDestroy(): Promise<void> {
    if (this.session !== undefined) await this.sessions.terminate(this.session);
  }

  private moment(): PurgeMoment {
    const now = this.clock.now();
    const today = Math.floor(now.getTime() / dayMs) * dayMs;
    return { now, cutoff: new Date(today - this.config.values.retentionDays * dayMs) };
  }
}

const firstMs = 60_000;
/**
 * More often than once a day, so that a removal that failed because of a lock, or a day that was still needed, is tried
 * again.
 */
const everyMs = 600_000;

@Injectable()
export class RetentionWorker implements OnApplicationBootstrap {
  constructor(
    private readonly retention: Retention,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'dropping old days', () => this.retention.run(), firstMs);
  }
}

/** For every process: features register their purges even if this process does not run retention. */
@Global()
@Module({ providers: [Purges], exports: [Purges] })
export class PurgesModule {}

/** Runs retention. `tables` are the partitioned tables of all libs. */
@Module({})
export class RetentionModule {
  static forRoot(tables: readonly PartitionedTable[]): DynamicModule {
    return {
      module: RetentionModule,
      providers: [
        { provide: RetainedTables, useValue: new RetainedTables(tables) },
        OldDays,
        Leftovers,
        Retention,
        RetentionWorker,
      ],
    };
  }
}
