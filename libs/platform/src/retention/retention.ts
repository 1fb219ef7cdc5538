import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { DailyPartitions, Database, longLimits, LongSessions, Partition, PartitionedTable } from '#platform/database';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { Injectable, OnModuleDestroy } from '@nestjs/common';
import type { Client } from 'pg';
import type { Counter, Gauge } from 'prom-client';
import { removePartition } from './partition-removal.js';
import { maxRemovedRows, Purges } from './purge.js';

/** An arbitrary constant, so that every process uses the same lock. */
const retentionLock = 7_663_002;
const dayMs = 86_400_000;

/** The tables that are partitioned by day, in the order in which a day is dropped. */
export class RetainedTables {
  constructor(readonly all: readonly PartitionedTable[]) {}
}

export interface RetentionReport {
  readonly droppedPartitions: number;
  /** Days before the cutoff (`yyyy-mm-dd`) of which a part is kept because a feature needs it. */
  readonly keptDays: readonly string[];
}

/**
 * Drops the days that are older than `RETENTION_DAYS`, and runs the statements of the features' purges.
 *
 * The tables of one history (`PartitionedTable.history`) are dropped together. A day that its purge still needs is kept as a
 * whole.
 *
 * The class has eight dependencies, but it does one task, and half of them are the clock, configuration, logs and metrics.
 */
@Injectable()
export class Retention implements OnModuleDestroy {
  private session: Client | undefined;
  private readonly dropped: Counter;
  private readonly kept: Gauge;
  private readonly succeeded: Gauge;
  private readonly histories: ReadonlyMap<string, string | undefined>;

  constructor(
    private readonly tables: RetainedTables,
    private readonly purges: Purges,
    private readonly database: Database,
    private readonly sessions: LongSessions,
    private readonly partitions: DailyPartitions,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.histories = new Map(tables.all.map(({ name, history }) => [name, history]));
    this.dropped = metrics.counter('postrider_retention_partitions_dropped_total', 'Daily partitions dropped');
    this.kept = metrics.gauge(
      'postrider_retention_kept_days',
      'Days past retention with mail that is still to be sent or was sent late',
    );
    this.succeeded = metrics.gauge(
      'postrider_retention_last_success_timestamp_seconds',
      'When retention last ended well',
    );
  }

  /** Runs retention once. Returns undefined where another process is running it. After a failure, the next run continues. */
  async execute(): Promise<RetentionReport | undefined> {
    const session = await this.sessions.open('postrider-retention');
    this.session = session;
    try {
      const { rows } = await session.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [
        retentionLock,
      ]);
      if (rows[0]?.mine !== true) return undefined;
      const report = await this.dropOldDays(session);
      await this.removeLeftovers();
      this.kept.set(report.keptDays.length);
      this.succeeded.set(this.clock.now().getTime() / 1_000);
      return report;
    } finally {
      // Ending the session releases the lock in any state.
      this.session = undefined;
      await session.end();
    }
  }

  /** Cancels a running retention, so that a stop does not wait until a day has been read. The next run continues. */
  async onModuleDestroy(): Promise<void> {
    const { processID } = (this.session ?? {}) as { processID?: number };
    if (processID === undefined) return;
    // Where the database is unavailable, no statement is running.
    await this.database
      .execute({ text: 'SELECT pg_terminate_backend($1)', values: [processID] })
      .catch(() => undefined);
  }

  private async dropOldDays(session: Client): Promise<RetentionReport> {
    const cutoff = this.cutoff();
    const old = (await this.partitions.list(this.tables.all)).filter(({ day }) => day < cutoff);
    const keptDays: string[] = [];
    let droppedPartitions = 0;
    for (const day of new Set(old.map((partition) => partition.day.getTime()))) {
      const needed = await this.neededHistories(new Date(day), cutoff, session);
      if (needed.size > 0) keptDays.push(new Date(day).toISOString().slice(0, 10));
      for (const partition of old.filter((each) => each.day.getTime() === day)) {
        if (needed.has(this.histories.get(partition.table))) continue;
        await this.drop(session, partition);
        droppedPartitions++;
      }
    }
    if (keptDays.length > 0)
      this.logger.info({ days: keptDays }, 'old days are kept because a part of them is still needed');
    return { droppedPartitions, keptDays };
  }

  private async neededHistories(day: Date, cutoff: Date, session: Client): Promise<ReadonlySet<string | undefined>> {
    const needed = new Set<string | undefined>();
    for (const history of new Set(this.histories.values())) {
      if (history === undefined) continue;
      if (await this.purges.decidingOn(history).needsDay(day, cutoff, session)) needed.add(history);
    }
    return needed;
  }

  private async drop(session: Client, partition: Partition): Promise<void> {
    for (const purge of this.purges.all) await purge.beforeDrop(partition);
    await removePartition(session, partition);
    this.dropped.inc();
    this.logger.info({ partition: partition.name }, 'dropped a day');
  }

  private async removeLeftovers(): Promise<void> {
    const moment = { now: this.clock.now(), cutoff: this.cutoff() };
    for (const statement of this.purges.all.flatMap((purge) => purge.leftovers(moment))) {
      while ((await this.database.execute({ ...statement, limits: longLimits })) === maxRemovedRows);
    }
  }

  private cutoff(): Date {
    const today = Math.floor(this.clock.now().getTime() / dayMs) * dayMs;
    return new Date(today - this.config.values.retentionDays * dayMs);
  }
}
