import type { Pool } from 'pg';

/** Time limits of PostgreSQL, in ms. Work that takes longer fails and changes nothing. */
export interface TimeLimits {
  /** For one statement, including its waits for locks. */
  readonly statementMs: number;
  /** For one wait for a lock. */
  readonly lockMs: number;
  /** For an open transaction without a statement: its process may be frozen while others wait for its locks. */
  readonly idleInTransactionMs: number;
}

/** Limits for what requests search, count and list. Others wait for the processor meanwhile. */
export const readLimits: TimeLimits = { statementMs: 5_000, lockMs: 2_000, idleInTransactionMs: 10_000 };

/** Limits for all work that serves requests or delivers mail. Its statements take milliseconds. */
export const ordinaryLimits: TimeLimits = { statementMs: 15_000, lockMs: 3_000, idleInTransactionMs: 30_000 };

/**
 * Limits for background work that reads or writes a whole day. Its lock limit is short, because a waiting lock blocks
 * others.
 */
export const longLimits: TimeLimits = { statementMs: 600_000, lockMs: 2_000, idleInTransactionMs: 60_000 };

/** Time after the limit of a statement at which its connection is closed, because PostgreSQL or the network has failed. */
const graceMs = 10_000;

export const answerWithinMs = ({ statementMs }: TimeLimits): number => statementMs + graceMs;

/** Time limit for opening a connection. A process that starts on a busy machine may take seconds to read the response. */
const connectWithinMs = 10_000;

/** How long work waits for a connection of the pool. */
export const connectionTurnMs = 5_000;

/**
 * Begins a transaction with its limits and with a durable commit, in one message.
 *
 * For sessions that may not have the settings from their start: a pooler in transaction mode (PgBouncer) keeps neither
 * startup options nor session settings. This costs PostgreSQL 10 to 25 µs per transaction and no round trip.
 */
export function beginWith({ statementMs, lockMs, idleInTransactionMs }: TimeLimits): string {
  return (
    `BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = ${statementMs};` +
    ` SET LOCAL lock_timeout = ${lockMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`
  );
}

/** Options with which a client detects that PostgreSQL is gone, so that it never waits without a limit. */
export const watchfulConnection = {
  keepAlive: true,
  // After this time, ten probes follow, one per second. Without it, Linux first probes an idle peer after two hours.
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: connectWithinMs,
  // A new one costs PostgreSQL tens of milliseconds: it reads its catalogue and plans all statements again.
  idleTimeoutMillis: 60_000,
} as const;

/** Options of `pg` for the pool behind a pooler, which would refuse limits as startup options. */
export const pooledConnection = { ...watchfulConnection, query_timeout: answerWithinMs(ordinaryLimits) } as const;

/** The same for a standby. The primary answers in its place, so a silent one is given up soon. */
export const standbyConnection = {
  ...watchfulConnection,
  connectionTimeoutMillis: 2_000,
  query_timeout: readLimits.statementMs + 1_000,
} as const;

/**
 * Options of `pg` for the pool without a pooler. They prevail over the defaults of the role and of the database.
 * Prepared statements keep one generic plan, because planning them again for each batch takes as long as running them.
 * Behind a pooler nothing is prepared.
 */
export const preparingConnection = {
  ...limitedConnection(ordinaryLimits),
  options: '-c plan_cache_mode=force_generic_plan -c synchronous_commit=on',
} as const;

/**
 * Whether the sessions of a pool have the ordinary limits and commit durably. What was asked for at their start does
 * not always hold: a pooler that nobody told of may leave out startup options.
 */
export async function areSessionsLimited(pool: Pool): Promise<boolean> {
  const { statementMs, lockMs, idleInTransactionMs } = ordinaryLimits;
  const { rows } = await pool.query<{ held: number }>({
    text: `SELECT count(*)::int AS held
           FROM pg_settings JOIN unnest($1::text[], $2::text[]) AS wanted (name, setting) USING (name, setting)`,
    values: [
      ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit'],
      [...[statementMs, lockMs, idleInTransactionMs].map(String), 'on'],
    ],
  });
  return rows[0]?.held === 4;
}

/** Options of `pg` for a connection on which every statement has limits, also outside of `Database`. */
export function limitedConnection(limits: TimeLimits): {
  readonly [
    Option in 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout' | 'query_timeout'
  ]: number;
} & typeof watchfulConnection {
  return {
    ...watchfulConnection,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    query_timeout: answerWithinMs(limits),
  };
}
