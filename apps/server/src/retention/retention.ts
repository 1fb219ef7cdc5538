import { Injectable, OnModuleDestroy } from '@nestjs/common';
import type { Client } from 'pg';
import type { Counter, Gauge } from 'prom-client';
import { MessageStore } from '#emails';
import { Clock, idsOfDay } from '#kernel';
import { Config } from '#platform/config';
import { DailyPartitions, Database, longLimits, LongSessions, Partition } from '#platform/database';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { partitionedTables } from '../database/schemas.js';
import { leftovers, leftoversAtOnce } from './leftovers.js';
import { removePartition } from './partition-removal.js';

/** Any constant: what counts is that every process asks for the same lock. */
const retentionLock = 7_663_002;
const dayMs = 86_400_000;
/** The table that goes once the bytes outside the database are gone: while it is there, the day is not finished. */
const last = 'recipients';

export interface RetentionReport {
  readonly droppedPartitions: number;
  /** Days, `yyyy-mm-dd`, that stay beyond their time for mail that is still to be sent or was sent late. */
  readonly keptDays: readonly string[];
}

/**
 * Drops the days that are past `RETENTION_DAYS`, message bytes included, and what else has outlived its use.
 *
 * A day of which an email is scheduled or in the queue stays as it is, as a whole, until that email has met its end and
 * the last attempt is past `RETENTION_DAYS` too: nothing is moved. An old day cannot come to be needed again, since new
 * emails have new ids. Openings and late reports keep nothing: of a day with much mail there is always somebody who reads.
 */
@Injectable()
export class Retention implements OnModuleDestroy {
  private session: Client | undefined;
  private readonly dropped: Counter;
  private readonly kept: Gauge;
  private readonly succeeded: Gauge;
  /** When mail of a day that stays was last attempted: it can only be later by now. Saves reading it again. */
  private readonly lastAttempts = new Map<number, Date>();
  private readonly ofEmails = new Set(partitionedTables.filter(({ history }) => history === 'emails').map(({ name }) => name));

  constructor(
    private readonly database: Database,
    private readonly sessions: LongSessions,
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
      'Days past retention with mail that is still to be sent or was sent late',
    );
    this.succeeded = metrics.gauge(
      'postrider_retention_last_success_timestamp_seconds',
      'When retention last ended well',
    );
  }

  /** Undefined where another process is at it. What fails is left for the next time, which goes on from there. */
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
      // Ending the session gives the lock back, whatever state it is in.
      this.session = undefined;
      await session.end();
    }
  }

  /** A stop does not wait until a day has been read: the next time goes on from there. */
  async onModuleDestroy(): Promise<void> {
    const { processID } = (this.session ?? {}) as { processID?: number };
    if (processID === undefined) return;
    // Where the database is away there is nothing that reads.
    await this.database
      .execute({ text: 'SELECT pg_terminate_backend($1)', values: [processID] })
      .catch(() => undefined);
  }

  private async dropOldDays(session: Client): Promise<RetentionReport> {
    const cutoff = this.cutoff();
    const old = (await this.partitions.list(partitionedTables)).filter(({ day }) => day < cutoff);
    const keptDays: string[] = [];
    let droppedPartitions = 0;
    for (const day of new Set(old.map((partition) => partition.day.getTime()))) {
      const ofDay = old.filter((partition) => partition.day.getTime() === day);
      const isNeeded = await this.isStillNeeded(new Date(day), cutoff, session);
      if (!isNeeded) this.lastAttempts.delete(day);
      if (isNeeded) keptDays.push(new Date(day).toISOString().slice(0, 10));
      for (const partition of ofDay) {
        if (isNeeded && this.ofEmails.has(partition.table)) continue;
        if (partition.table === last) await this.store.removeDay(partition.day);
        await this.drop(session, partition);
        droppedPartitions++;
      }
    }
    if (keptDays.length > 0)
      this.logger.info({ days: keptDays }, 'old days stay: their mail is still to be sent, or was late');
    return { droppedPartitions, keptDays };
  }

  private async drop(session: Client, partition: Partition): Promise<void> {
    await removePartition(session, partition);
    this.dropped.inc();
    this.logger.info({ partition: partition.name }, 'dropped a day');
  }

  private async isStillNeeded(day: Date, cutoff: Date, session: Client): Promise<boolean> {
    if (await this.isToBeSent(day)) return true;
    let last = this.lastAttempts.get(day.getTime());
    if (last === undefined || last < cutoff) {
      // An attempt is written together with its email's leaving the queue: what was not there any more has it here.
      last = await this.lastAttempt(day, session);
      this.lastAttempts.set(day.getTime(), last);
    }
    return last >= cutoff;
  }

  /** One statement sees an email either scheduled or queued, also while it is being released. */
  private async isToBeSent(day: Date): Promise<boolean> {
    const [row] = await this.database.query<{ waiting: boolean }>({
      text: `SELECT EXISTS (SELECT 1 FROM outbound_queue WHERE email_id >= $1 AND email_id < $2)
                 OR EXISTS (SELECT 1 FROM scheduled_emails WHERE email_id >= $1 AND email_id < $2) AS waiting`,
      values: [...idsOfDay(day)],
    });
    return row?.waiting !== false;
  }

  /** Reads a day's attempts as a whole, on the session that has the time for it. */
  private async lastAttempt(day: Date, session: Client): Promise<Date> {
    const { rows } = await session.query<{ last: Date | null }>(
      'SELECT max(started_at) AS last FROM delivery_attempts WHERE email_id >= $1 AND email_id < $2',
      [...idsOfDay(day)],
    );
    return rows[0]?.last ?? day;
  }

  private async removeLeftovers(): Promise<void> {
    for (const statement of leftovers(this.clock.now(), this.cutoff())) {
      while ((await this.database.execute({ ...statement, limits: longLimits })) === leftoversAtOnce);
    }
  }

  /** Start of the oldest day that is kept: so many whole days lie before today. */
  private cutoff(): Date {
    const today = Math.floor(this.clock.now().getTime() / dayMs) * dayMs;
    return new Date(today - this.config.values.retentionDays * dayMs);
  }
}
