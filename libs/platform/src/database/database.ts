import type { Socket } from 'node:net';
import { Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { ObjectLiteral, Repository } from 'typeorm';
import { BytesInPieces } from './bytes-in-pieces.js';
import { ConnectionShare } from './connection-share.js';
import { CopyQuery } from './copy-query.js';
import { PiecesQuery } from './pieces-query.js';
import { answerWithinMs, beginWith, connectionTurnMs, ordinaryLimits, TimeLimits } from './time-limits.js';

/**
 * One SQL statement. With a `name` it is prepared once per connection. Hot paths name their statements and keep the text
 * constant (arrays through `unnest`, never a text that grows with the batch).
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Bytes are a `Buffer`, or `BytesInPieces` where they are large. */
  readonly values?: unknown[];
  /** Limits of a statement outside a transaction. Default: `ordinaryLimits`. In a transaction its limits apply. */
  readonly limits?: TimeLimits;
}

/** A row of a result, by column name. */
export type Row<T> = T & Record<string, unknown>;

export interface StatementOptions {
  /**
   * Whether named statements are prepared. False behind a pooler in transaction mode, where the next transaction may have
   * another session: PgBouncer supports prepared statements only since 1.21, and only where it is configured.
   */
  readonly prepares: boolean;
}

/** The part of the pool that one kind of work may use. A quarter is left for all others, even where its statements hang. */
const maxShare = 0.75;

/**
 * Plain SQL on the connection pool, for paths where the ORM would cost a round trip or a copy of the rows.
 *
 * Connections are pipelined: statements that are sent without awaiting each other are sent together, in order. Every statement
 * runs in a transaction that sets its own time limits and commits durably. A single statement gets its own transaction.
 */
@Injectable()
export class Database extends UnitOfWork {
  private readonly watched = new WeakSet<PoolClient>();
  private readonly share: ConnectionShare;

  constructor(
    readonly pool: Pool,
    private readonly options: StatementOptions = { prepares: true },
  ) {
    super();
    pool.on('acquire', (client) => this.watch(client));
    this.share = new ConnectionShare(Math.max(1, Math.floor(pool.options.max * maxShare)), connectionTurnMs);
  }

  async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.alone<Row>(statement)).rows;
  }

  /** Runs a statement. Returns the number of affected rows. */
  async execute(statement: Statement): Promise<number> {
    return (await this.alone(statement)).rowCount ?? 0;
  }

  /**
   * Reads rows with the ORM. The usual time limits apply, and the connection counts against the share of this kind of work.
   * Without a pooler the session has these limits from its start; behind one, a transaction has to set them.
   */
  readWithOrm<Row extends ObjectLiteral, Result>(
    rows: Repository<Row>,
    read: (rows: Repository<Row>) => Promise<Result>,
  ): Promise<Result> {
    if (this.options.prepares) return this.share.use(() => read(rows));
    return this.share.use(async () => {
      const runner = rows.manager.connection.createQueryRunner();
      try {
        await runner.connect();
        const begun = runner.query(beginWith(ordinaryLimits));
        begun.catch(() => undefined);
        const result = await read(runner.manager.withRepository(rows));
        await begun;
        await runner.query('COMMIT');
        return result;
      } catch (error) {
        // TypeORM releases a runner whose connection breaks, and its next query fails only because it was released.
        if (runner.isReleased) throw new Error('Connection terminated while rows were read', { cause: error });
        await runner.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        await runner.release();
      }
    });
  }

  /**
   * Runs work in a transaction, and commits it durably before it resolves. BEGIN is not awaited: it is sent together with the
   * first statement. When a statement fails, the following ones fail too, and everything is rolled back. Rejects with the
   * first error.
   */
  run<Result>(
    work: (transaction: DatabaseTransaction) => Promise<Result>,
    limits: TimeLimits = ordinaryLimits,
  ): Promise<Result> {
    return this.share.use(() => this.runNow(work, limits));
  }

  private alone<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
    return this.run((transaction) => {
      const sent = transaction.send<Row>(statement);
      void transaction.commit();
      return sent;
    }, statement.limits);
  }

  private async runNow<Result>(
    work: (transaction: DatabaseTransaction) => Promise<Result>,
    limits: TimeLimits,
  ): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    const transaction = new DatabaseTransaction(client, limits, this.options.prepares);
    try {
      sendTogether(client);
      const begun = client.query(beginWith(limits));
      begun.catch(() => undefined);
      const result = await work(transaction);
      await begun;
      const end = await transaction.commit();
      if (end.command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements failed');
      return result;
    } catch (error) {
      await transaction.rollback().catch((rollbackError: Error) => (broken = rollbackError));
      throw isConsequence(error) ? (transaction.failure ?? error) : error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /**
   * The pool handles errors of idle connections only, and an unhandled connection error ends the process. An error can arrive
   * together with a result, before the caller that waits for the connection has added its own listener.
   */
  private watch(client: PoolClient): void {
    if (this.watched.has(client)) return;
    this.watched.add(client);
    client.on('error', () => undefined);
  }
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

/** The transaction that `Database.run` passes to the work. Adapters get it with `statementsOf`. */
export class DatabaseTransaction extends Transaction {
  /** The error of the first statement that failed. */
  failure: Error | undefined;
  private end: Promise<QueryResult> | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly limits: TimeLimits,
    private readonly prepares: boolean,
  ) {
    super();
  }

  /**
   * Sends the commit directly after the pending statements, without waiting for their results, so that locks are not held while
   * this process is busy. No statement may follow. Where a pending statement fails, everything is rolled back.
   */
  commit(): Promise<QueryResult> {
    if (this.end === undefined) {
      this.end = this.client.query(this.patiently({ text: 'COMMIT' }));
      this.end.catch(() => undefined);
    }
    return this.end;
  }

  /** Sends the rollback directly after the pending statements. No statement may follow: it would be in no transaction. */
  rollback(): Promise<QueryResult> {
    this.end = this.client.query(this.patiently({ text: 'ROLLBACK' }));
    return this.end;
  }

  async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.send<Row>(statement)).rows;
  }

  async execute(statement: Statement): Promise<number> {
    return (await this.send(statement)).rowCount ?? 0;
  }

  send<Row extends QueryResultRow>({ name, text, values }: Statement): Promise<QueryResult<Row>> {
    if (this.end !== undefined) throw new Error('A statement came after the end of its transaction');
    const config = this.patiently({ name: this.prepares ? name : undefined, text, values });
    const sent = values?.some((value) => value instanceof BytesInPieces)
      ? this.sendPieces<Row>(config)
      : this.client.query<Row>(config);
    sent.catch((error: Error) => void (isConsequence(error) || (this.failure ??= error)));
    return sent;
  }

  /**
   * Copies rows (`CopyRows`) into a table: `COPY table (columns) FROM STDIN (FORMAT binary)`. It costs PostgreSQL half of what an INSERT costs. No
   * statement may be sent until it has ended. A failed copy leaves the transaction usable behind a savepoint.
   */
  async copy(text: string, rows: Uint8Array): Promise<void> {
    if (this.end !== undefined) throw new Error('A copy came after the end of its transaction');
    const config = { text, query_timeout: answerWithinMs(this.limits) };
    await new Promise<void>((resolve, reject) => {
      this.client.query(new CopyQuery(config, rows, (error) => (error ? reject(error) : resolve())));
    });
  }

  /** Sets the driver's timeout. It covers the statements that were sent before, because it starts when a statement is queued. */
  private patiently(config: Statement): Statement {
    return this.limits === ordinaryLimits
      ? config
      : ({ ...config, query_timeout: answerWithinMs(this.limits) } as Statement);
  }

  private sendPieces<Row extends QueryResultRow>(config: Statement): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.client.query(new PiecesQuery(config, (error, result) => (error ? reject(error) : resolve(result as never))));
    });
  }
}

/** Whether the statement failed only because an earlier one in its transaction had failed (SQLSTATE 25P02). */
function isConsequence(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25P02';
}

export function statementsOf(transaction: Transaction): DatabaseTransaction {
  if (transaction instanceof DatabaseTransaction) return transaction;
  throw new TypeError('This adapter writes to PostgreSQL and was given a transaction of another kind');
}
