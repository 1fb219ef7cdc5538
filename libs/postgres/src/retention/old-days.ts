import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import type { Counter, Gauge } from 'prom-client';
import { DailyPartitions, Partition, PartitionedTable } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { Purges } from './purge.js';

/** The tables that are partitioned by day, in the order in which a day is dropped. */
export class RetainedTables {
  constructor(readonly all: readonly PartitionedTable[]) {}
}

export interface RetentionReport {
  readonly droppedPartitions: number;
  /** Days, `yyyy-mm-dd`, of which a part stays beyond its time because a feature needs it. */
  readonly keptDays: readonly string[];
}

/**
 * Drops days. The tables of one history (`PartitionedTable.history`) are dropped together: a day of them that its purge
 * still needs stays as it is, as a whole, and nothing is moved.
 */
@Injectable()
export class OldDays {
  private readonly dropped: Counter;
  private readonly kept: Gauge;
  private readonly histories: ReadonlyMap<string, string | undefined>;

  constructor(
    private readonly tables: RetainedTables,
    private readonly purges: Purges,
    private readonly partitions: DailyPartitions,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.histories = new Map(tables.all.map(({ name, history }) => [name, history]));
    this.dropped = metrics.counter('postrider_retention_partitions_dropped_total', 'Daily partitions dropped');
    this.kept = metrics.gauge(
      'postrider_retention_kept_days',
      'Days past retention with mail that is still to be sent or was sent late',
    );
  }

  /** Drops the days before `cutoff`, on a session of its own that has time for it. */
  async drop(session: Client, cutoff: Date): Promise<RetentionReport> {
    const old = (await this.partitions.list(this.tables.all)).filter(({ day }) => day < cutoff);
    const keptDays: string[] = [];
    let droppedPartitions = 0;
    for (const day of new Set(old.map((partition) => partition.day.getTime()))) {
      const needed = await this.neededHistories(new Date(day), cutoff, session);
      if (needed.size > 0) keptDays.push(new Date(day).toISOString().slice(0, 10));
      for (const partition of old.filter((each) => each.day.getTime() === day)) {
        if (needed.has(this.histories.get(partition.table))) continue;
        await this.dropOne(session, partition);
        droppedPartitions++;
      }
    }
    if (keptDays.length > 0) this.logger.info({ days: keptDays }, 'old days stay: something of them is still needed');
    this.kept.set(keptDays.length);
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

  private async dropOne(session: Client, partition: Partition): Promise<void> {
    for (const purge of this.purges.all) await purge.beforeDrop(partition);
    await removePartition(session, partition);
    this.dropped.inc();
    this.logger.info({ partition: partition.name }, 'dropped a day');
  }
}

/**
 * Removes a partition while mail is accepted and delivered. DETACH ... CONCURRENTLY waits for transactions that may
 * still use it, without blocking others. A plain DROP would block all transactions on the table while it waits.
 *
 * Throws if it would wait for longer than the session's lock_timeout. An interrupted removal is continued.
 */
async function removePartition(session: Client, { table, name, state }: Partition): Promise<void> {
  if (state === 'attached') await session.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" CONCURRENTLY`);
  if (state === 'detaching') await session.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" FINALIZE`);
  await session.query(`DROP TABLE "${name}"`);
}
