import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Counter, Gauge } from 'prom-client';
import { MessageStore } from '#emails';
import { Clock, idsOfDay } from '#kernel';
import { Config } from '#platform/config';
import { DailyPartitions, Database, Partition } from '#platform/database';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { partitionedTables } from '../database/partitioned-tables.js';
import { leftovers, leftoversAtOnce } from './leftovers.js';
import { removePartition } from './partition-removal.js';

/** Any constant: what counts is that every process asks for the same lock. */
const retentionLock = 7_663_002;
const dayMs = 86_400_000;
/** The table that goes once the bytes outside the database are gone: while it is there, the day is not finished. */
const last = 'recipients';

export interface RetentionReport {
  readonly droppedPartitions: number;
  /** Days, `yyyy-mm-dd`, that stay beyond their time because mail of theirs is still to be sent. */
  readonly keptDays: readonly string[];
}

/**
 * Drops the days that are past `RETENTION_DAYS`, message bytes included, and what else has outlived its use.
 *
 * A day of which an email is scheduled or in the queue stays as it is, as a whole, until that email has met its end:
 * nothing is moved. An old day cannot come to be needed again, since new emails have new ids.
 */
@Injectable()
export class Retention {
  private readonly dropped: Counter;
  private readonly kept: Gauge;
  private readonly succeeded: Gauge;
  private readonly ofEmails = new Set(partitionedTables.filter(({ ofEmails }) => ofEmails).map(({ name }) => name));

  constructor(
    private readonly database: Database,
    private readonly partitions: DailyPartitions,
    private readonly store: MessageStore,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.dropped = metrics.counter('postrider_retention_partitions_dropped_total', 'Daily partitions dropped');
    this.kept = metrics.gauge(
      'postrider_retention_kept_days',
      'Days past retention with mail that is still to be sent',
    );
    this.succeeded = metrics.gauge(
      'postrider_retention_last_success_timestamp_seconds',
      'When retention last ended well',
    );
  }

  /** Undefined where another process is at it. What fails is left for the next time, which goes on from there. */
  async execute(): Promise<RetentionReport | undefined> {
    const session = await this.database.pool.connect();
    const ignore = (): void => undefined;
    session.on('error', ignore);
    try {
      const { rows } = await session.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [
        retentionLock,
      ]);
      if (rows[0]?.mine !== true) return undefined;
      await session.query(`SET lock_timeout = '2s'`);
      await session.query(`SET statement_timeout = '10min'`);
      const report = await this.dropOldDays(session);
      await this.removeLeftovers();
      this.kept.set(report.keptDays.length);
      this.succeeded.set(this.clock.now().getTime() / 1_000);
      return report;
    } finally {
      // Ending the session gives the lock back, whatever state it is in.
      session.off('error', ignore);
      session.release(true);
    }
  }

  private async dropOldDays(session: PoolClient): Promise<RetentionReport> {
    const cutoff = this.cutoff();
    const old = (await this.partitions.list(partitionedTables)).filter(({ day }) => day < cutoff);
    const keptDays: string[] = [];
    let droppedPartitions = 0;
    for (const day of new Set(old.map((partition) => partition.day.getTime()))) {
      const ofDay = old.filter((partition) => partition.day.getTime() === day);
      const isNeeded = await this.isStillNeeded(new Date(day));
      if (isNeeded) keptDays.push(new Date(day).toISOString().slice(0, 10));
      for (const partition of ofDay) {
        if (isNeeded && this.ofEmails.has(partition.table)) continue;
        if (partition.table === last) await this.store.removeDay(partition.day);
        await this.drop(session, partition);
        droppedPartitions++;
      }
    }
    if (keptDays.length > 0) this.logger.info({ days: keptDays }, 'old days stay: mail of theirs is still to be sent');
    return { droppedPartitions, keptDays };
  }

  private async drop(session: PoolClient, partition: Partition): Promise<void> {
    await removePartition(session, partition);
    this.dropped.inc();
    this.logger.info({ partition: partition.name }, 'dropped a day');
  }

  /** One statement sees an email either scheduled or queued, also while it is being released. */
  private async isStillNeeded(day: Date): Promise<boolean> {
    const [row] = await this.database.query<{ needed: boolean }>({
      text: `SELECT EXISTS (SELECT 1 FROM outbound_queue WHERE email_id >= $1 AND email_id < $2)
                 OR EXISTS (SELECT 1 FROM scheduled_emails WHERE email_id >= $1 AND email_id < $2) AS needed`,
      values: [...idsOfDay(day)],
    });
    return row?.needed !== false;
  }

  private async removeLeftovers(): Promise<void> {
    for (const statement of leftovers(this.clock.now(), this.cutoff())) {
      while ((await this.database.execute(statement)) === leftoversAtOnce);
    }
  }

  /** Start of the oldest day that is kept: so many whole days lie before today. */
  private cutoff(): Date {
    const today = Math.floor(this.clock.now().getTime() / dayMs) * dayMs;
    return new Date(today - this.config.values.retentionDays * dayMs);
  }
}
