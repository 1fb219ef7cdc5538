import type { Socket } from 'node:net';
import { Injectable, Provider } from '@nestjs/common';
import { DatabaseError, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { LastStatements, NoConnectionError, Slots, UnitOfWork } from '#kernel';
import { DatabaseTransaction, fromHere, isConsequence } from './database-transaction.js';
import type { Statement } from './statement.js';
import { beginWith, connectionTurnMs, ordinaryLimits, TimeLimits } from './time-limits.js';

export interface SessionOptions {
  /**
   * Whether named statements are prepared. False behind a pooler in transaction mode, where the next transaction may have
   * another session: PgBouncer supports prepared statements only since 1.21, and only if it is configured.
   */
  readonly prepares: boolean;
  /** Whether each session has the ordinary limits and commits durably from its start (`areSessionsLimited`). */
  readonly isLimited: boolean;
}

interface UsedConnection {
  readonly client: PoolClient;
  /** Why it cannot be used again. */
  broken: Error | undefined;
}

/**
 * The commit is durable here, but its wait for a synchronous standby was cancelled: it is lost if a standby takes over
 * now. PostgreSQL reports that as a warning, and as success.
 */
export class NotReplicatedError extends Error {
  /** SQLSTATE of a transaction of unknown outcome (transaction_resolution_unknown). */
  readonly code = '08007';

  constructor() {
    super('No synchronous standby has confirmed the commit');
  }
}

/** Where PostgreSQL gives up that wait (`src/backend/replication/syncrep.c`). Its message is in the language of the server. */
const waitForStandby = 'SyncRepWaitForLSN';

/**
 * The part of the pool that one kind of work may use by default. A quarter is left for all others, even if its
 * statements hang. Work that finds no free connection waits for one, first come, first served.
 */
const maxShare = 0.75;

/**
 * Plain SQL on the connection pool (docs/decisions/typeorm.md).
 *
 * Connections are pipelined: statements that are sent without awaiting each other are sent together, in order. Every
 * statement has time limits and commits durably: its transaction sets them, if its session does not have them from its
 * start.
 */
@Injectable()
export class Database extends UnitOfWork {
  private readonly watched = new WeakSet<PoolClient>();
  /** Connections with a commit that no standby has confirmed. */
  private readonly unreplicated = new WeakSet<PoolClient>();
  private readonly share: Slots;

  constructor(
    readonly pool: Pool,
    readonly sessions: SessionOptions = { prepares: true, isLimited: false },
    share = maxShare,
    /** The database whose share contains this one: what is held here counts there too. */
    private readonly partOf?: Database,
  ) {
    super();
    pool.on('acquire', (client) => this.watch(client));
    const max = Math.max(1, Math.floor(pool.options.max * share));
    this.share = new Slots(max, { maxWaitMs: connectionTurnMs, refusal: () => new NoConnectionError() });
  }

  async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.alone<Row>(statement)).rows;
  }

  /** Runs a statement. Returns the number of affected rows. */
  async execute(statement: Statement): Promise<number> {
    return (await this.alone(statement)).rowCount ?? 0;
  }

  /**
   * Runs work in a transaction, and commits it durably before it resolves. BEGIN is not awaited: it is sent together
   * with the first statement. When a statement fails, the following ones fail too, and everything is rolled back.
   * Rejects with the first error.
   */
  run<Result>(
    work: (transaction: DatabaseTransaction) => Promise<Result>,
    limits: TimeLimits = ordinaryLimits,
  ): Promise<Result> {
    return this.inShare(() => this.runNow(work, limits));
  }

  override runPipelined<Result>(
    work: (transaction: DatabaseTransaction) => Promise<LastStatements<Result>>,
  ): Promise<Result> {
    return this.run(async (transaction) => {
      const last = await work(transaction);
      const sent = last.send();
      if (last.mayRefuse !== true) void transaction.commit();
      return sent;
    });
  }

  /** In a transaction of its own: the implicit one of PostgreSQL, or one that sets the limits. */
  private alone<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
    if (this.sessions.isLimited && statement.limits === undefined) return this.implicitly<Row>(statement);
    return this.run((transaction) => {
      const sent = transaction.send<Row>(statement);
      void transaction.commit();
      return sent;
    }, statement.limits);
  }

  private implicitly<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
    return this.inShare(() =>
      this.withConnection(async (connection) => {
        const transaction = new DatabaseTransaction(connection.client, ordinaryLimits, this.sessions.prepares);
        try {
          const result = await transaction.send<Row>(statement);
          this.checkReplicated(connection);
          return result;
        } catch (error) {
          // After any other error, a timeout for example, the statement may still run.
          const isRefusal = error instanceof DatabaseError && error.severity === 'ERROR';
          if (!isRefusal || isStandby(error)) connection.broken = error as Error;
          throw fromHere(error);
        }
      }),
    );
  }

  private inShare<Result>(work: () => Promise<Result>): Promise<Result> {
    const { partOf } = this;
    return this.share.use(partOf === undefined ? work : () => partOf.inShare(work));
  }

  private runNow<Result>(
    work: (transaction: DatabaseTransaction) => Promise<Result>,
    limits: TimeLimits,
  ): Promise<Result> {
    return this.withConnection(async (connection) => {
      const { client } = connection;
      const transaction = new DatabaseTransaction(client, limits, this.sessions.prepares);
      try {
        const begun = client.query(this.sessions.isLimited && limits === ordinaryLimits ? 'BEGIN' : beginWith(limits));
        begun.catch(() => undefined);
        const result = await work(transaction);
        await begun;
        const end = await transaction.commit();
        if (end.command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements failed');
        this.checkReplicated(connection);
        return result;
      } catch (error) {
        await transaction.rollback().catch((rollbackError: Error) => (connection.broken = rollbackError));
        if (isStandby(error)) connection.broken = error as Error;
        throw isConsequence(error) ? (transaction.failure ?? error) : error;
      }
    });
  }

  private checkReplicated(connection: UsedConnection): void {
    if (this.unreplicated.has(connection.client)) throw (connection.broken = new NotReplicatedError());
  }

  private async withConnection<Result>(work: (connection: UsedConnection) => Promise<Result>): Promise<Result> {
    const connection: UsedConnection = { client: await this.pool.connect(), broken: undefined };
    const { client } = connection;
    const onError = (error: Error): void => void (connection.broken = error);
    client.on('error', onError);
    try {
      sendTogether(client);
      return await work(connection);
    } finally {
      client.off('error', onError);
      client.release(connection.broken);
    }
  }

  /**
   * The pool handles errors of idle connections only, and an unhandled connection error ends the process. An error can
   * arrive together with a result, before the caller that waits for the connection has added its own listener.
   */
  private watch(client: PoolClient): void {
    if (this.watched.has(client)) return;
    this.watched.add(client);
    client.on('error', () => undefined);
    client.on('notice', ({ routine }) => {
      if (routine === waitForStandby) this.unreplicated.add(client);
    });
  }
}

/** Whether the server takes no writes (SQLSTATE 25006), because it is no primary any more. */
function isStandby(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25006';
}

/**
 * Sends everything that is written to the connection during this turn in one system call. A system call costs more than
 * preparing its statement: this saves 0.15 ms of CPU per message when emails are accepted.
 */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The same pool with a separate share for work on emails, because their tables are large and often locked. */
@Injectable()
export class MailDatabase extends Database {}

/** In the providers of a module, this makes `MailDatabase` the `Database` of that module. */
export const mailShare: Provider = { provide: Database, useExisting: MailDatabase };
