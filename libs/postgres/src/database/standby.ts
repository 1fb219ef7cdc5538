import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { DomainError } from '#kernel';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { DatabaseError, Pool, QueryResultRow } from 'pg';
import type { Counter } from 'prom-client';
import { Database } from './database.js';
import type { Statement } from './statement.js';

/** What a read waits for the standby, in ms, before the primary answers it. */
const maxWaitMs = 100;
const pauseMs = 5;
/** How long nothing is asked of a standby that is behind, and of one that cannot be asked. */
const behindRestMs = 1_000;
const awayRestMs = 5_000;
/** SQLSTATE: the replay of the log, a stop, or a start ended the statement. The primary can answer it. */
const interruptions = ['40001', '57P01', '57P02', '57P03'];

/**
 * A standby that answers reads. It answers only once it has replayed what the primary had committed when the read came, so
 * that nobody misses what they have just written, in whatever process. Questions about that are shared by the reads that
 * wait for them.
 */
@Injectable()
export class Standby implements OnApplicationShutdown {
  private readonly database: Database;
  private readonly written: SharedQuestion;
  private readonly replayed: SharedQuestion;
  private readonly reads: Counter<'server'>;
  private restsUntil = 0;
  private isAway = false;

  constructor(
    primary: Database,
    private readonly pool: Pool,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    metrics: Metrics,
  ) {
    this.reads = metrics.counter('postrider_standby_reads_total', 'Reads of requests by the server that answered', [
      'server',
    ]);
    // Connections to it have no settings of ours from their start.
    this.database = new Database(pool, { prepares: false, isLimited: false }, 1);
    // A loss is told by the statement that meets it.
    pool.on('error', () => undefined);
    this.written = new SharedQuestion(
      primary,
      `SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS position,
              ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline`,
    );
    // One that does not follow a primary may have a log of its own: a primary that was replaced. Its standby follows it, on
    // an earlier timeline. Only some users see the timeline that a standby receives; others see it at the next checkpoint.
    this.replayed = new SharedQuestion(
      this.database,
      `SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS position,
              coalesce(r.received_tli, (pg_control_checkpoint()).timeline_id) AS timeline
       FROM pg_stat_wal_receiver r WHERE pg_is_in_recovery() AND pg_last_wal_replay_lsn() IS NOT NULL`,
    );
  }

  /** Undefined if the primary has to answer. */
  async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[] | undefined> {
    const rows = performance.now() < this.restsUntil ? undefined : await this.ask<Row>(statement);
    this.reads.inc({ server: rows === undefined ? 'primary' : 'standby' });
    return rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async ask<Row extends QueryResultRow>(statement: Statement): Promise<Row[] | undefined> {
    // Asked first, so that an error of the primary is not taken for one of the standby.
    const wanted = await this.written.answer();
    try {
      if (!(await this.hasReplayed(wanted))) return this.rest(behindRestMs);
      const rows = await this.database.query<Row>(statement);
      if (this.isAway) this.logger.info({}, 'the standby answers reads again');
      this.isAway = false;
      return rows;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof DatabaseError && !interruptions.includes(error.code ?? '')) throw error;
      if (!this.isAway) this.logger.warn({ error }, 'the standby cannot be asked; the primary answers reads');
      this.isAway = true;
      return this.rest(awayRestMs);
    }
  }

  private async hasReplayed(wanted: LogPosition | undefined): Promise<boolean> {
    if (wanted === undefined) return false;
    for (const until = performance.now() + maxWaitMs; performance.now() < until;) {
      const position = await within(until - performance.now(), this.replayed.answer());
      if (position?.timeline !== wanted.timeline) return false;
      if (position.position >= wanted.position) return true;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return false;
  }

  private rest(ms: number): undefined {
    this.restsUntil = performance.now() + ms;
  }
}

/** Undefined if there is no answer in time: a server may be silent without closing its connections. */
async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A position in the log, in bytes, and the timeline: each primary that takes over begins one. */
interface LogPosition extends Record<string, unknown> {
  readonly position: number;
  readonly timeline: number;
}

/** Where a server is in the log. Each answer was asked for after the call. */
class SharedQuestion {
  private asked: Promise<LogPosition | undefined> | undefined;
  private next: Promise<LogPosition | undefined> | undefined;

  constructor(
    private readonly database: Database,
    private readonly text: string,
  ) {}

  answer(): Promise<LogPosition | undefined> {
    return (this.next ??= this.askAfter(this.asked));
  }

  private async askAfter(before: Promise<unknown> | undefined): Promise<LogPosition | undefined> {
    await before?.catch(() => undefined);
    this.asked = this.next;
    this.next = undefined;
    const [row] = await this.database.query<LogPosition>({ text: this.text });
    return row;
  }
}
