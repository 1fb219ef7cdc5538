/** How long PostgreSQL may spend, in ms. What takes longer fails and changes nothing. */
export interface TimeLimits {
  /** One statement, waiting for locks included. */
  readonly statementMs: number;
  /** One wait for a lock. */
  readonly lockMs: number;
  /** A transaction whose process sends nothing: it may have frozen while others wait for its locks. */
  readonly idleInTransactionMs: number;
}

/** Of everything that serves a request or moves mail: an ordinary statement takes milliseconds. */
export const ordinaryLimits: TimeLimits = { statementMs: 15_000, lockMs: 3_000, idleInTransactionMs: 30_000 };

/** Of work in the background that reads or writes a whole day. It waits for locks no longer: who waits makes others wait. */
export const longLimits: TimeLimits = { statementMs: 600_000, lockMs: 2_000, idleInTransactionMs: 60_000 };

/** Added to the time of a statement before its connection is given up: PostgreSQL, or the way to it, is dead by then. */
const graceMs = 10_000;

export const answerWithinMs = ({ statementMs }: TimeLimits): number => statementMs + graceMs;

/** For a database that does not answer. A process that starts on a busy machine may take seconds to read an answer. */
const connectWithinMs = 10_000;

/** For work that waits for a connection of the pool. */
export const connectionTurnMs = 5_000;

/**
 * Begins a transaction with its limits, and with commits that wait for the disk, in one message. Prepared statements keep
 * one plan: to plan them anew for each batch costs as much as to run them.
 *
 * Said in each transaction, because nothing else holds everywhere: defaults belong to the role and the database, and a
 * pooler in transaction mode (PgBouncer) knows neither startup options nor settings of a session. Costs PostgreSQL 10 to 25 µs
 * a transaction, and no round trip.
 */
export function beginWith({ statementMs, lockMs, idleInTransactionMs }: TimeLimits): string {
  return (
    `BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = ${statementMs};` +
    ` SET LOCAL lock_timeout = ${lockMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs};` +
    ' SET LOCAL plan_cache_mode = force_generic_plan'
  );
}

/** How a client notices that PostgreSQL is gone: nothing that it waits for comes without a limit. */
export const watchfulConnection = {
  keepAlive: true,
  // Then ten probes, a second apart. Without it, Linux asks an idle peer after two hours for the first time.
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: connectWithinMs,
} as const;

/** Options of `pg` for the pool where a pooler stands before PostgreSQL: it would refuse every limit as a startup option. */
export const pooledConnection = { ...watchfulConnection, query_timeout: answerWithinMs(ordinaryLimits) } as const;

/** Options of `pg` for a connection on which every statement has limits, outside of `Database` too. */
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
