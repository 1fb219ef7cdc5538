import type { Socket } from 'node:net';
import { Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { ObjectLiteral, Repository } from 'typeorm';
import { BytesInPieces } from './bytes-in-pieces.js';
import { ConnectionShare } from './connection-share.js';
import { PiecesQuery } from './pieces-query.js';
import { answerWithinMs, beginWith, connectionTurnMs, ordinaryLimits, TimeLimits } from './time-limits.js';

/**
 * One SQL statement. With a `name` it is prepared once per connection: hot paths name their statements, and keep the
 * text constant (arrays through `unnest`, never a text that grows with the batch).
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Bytes as `Buffer`, or as `BytesInPieces` where they are many. */
  readonly values?: unknown[];
  /** Where it comes alone and is no ordinary one. Within a transaction, those of the transaction hold. */
  readonly limits?: TimeLimits;
}

/** A row that a statement returns, by the names of its columns. */
export type Row<T> = T & Record<string, unknown>;

export interface StatementOptions {
  /**
   * Whether named statements are prepared. Not behind a pooler in transaction mode: the next transaction may have another
   * session, and PgBouncer knows prepared statements only from 1.21 on, where it is told to.
   */
  readonly prepares: boolean;
}

/** One kind of work leaves a quarter of the pool to the others, whatever it waits for. */
const maxShare = 0.75;

/**
 * Plain SQL on the program's connection pool, for the paths where the ORM would cost a round trip or a row copy.
 *
 * Connections are pipelined: statements issued without awaiting each other travel together, in order. Every statement runs
 * in a transaction that states its own time limits and commits durably, one that comes alone in a transaction of its own.
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

  /** How many rows the statement touched. */
  async execute(statement: Statement): Promise<number> {
    return (await this.alone(statement)).rowCount ?? 0;
  }

  /** Rows that the ORM reads, with the limits of every other statement, and counted among this kind of work. */
  readWithOrm<Row extends ObjectLiteral, Result>(
    rows: Repository<Row>,
    read: (rows: Repository<Row>) => Promise<Result>,
  ): Promise<Result> {
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
        await runner.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        await runner.release();
      }
    });
  }

  /**
   * Commits durably before it resolves. BEGIN is not awaited: it travels with the first statement of the work.
   * Once any statement failed, the others fail too and everything is rolled back. Rejects with what failed first.
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
   * The pool listens only to idle connections, and a lost one that nobody listens to ends the process. PostgreSQL's last
   * words may come in one read with its answer, before whoever waits for the connection goes on.
   */
  private watch(client: PoolClient): void {
    if (this.watched.has(client)) return;
    this.watched.add(client);
    client.on('error', () => undefined);
  }
}

/**
 * What is written to the connection during this turn leaves in one system call. Each of them costs more than the
 * statement it carries costs to prepare here: measured 0.15 ms of CPU a message less on the accepting path.
 */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The transaction that `Database.run` hands to the work; adapters get at it with `statementsOf`. */
export class DatabaseTransaction extends Transaction {
  /** Of the first statement that failed. */
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
   * Sends the commit behind the statements that are under way, instead of after their answers have been read: locks that
   * others wait for are not held while this process is busy. Nothing may follow. Where one of them fails, all is rolled back.
   */
  commit(): Promise<QueryResult> {
    if (this.end === undefined) {
      this.end = this.client.query(this.patiently({ text: 'COMMIT' }));
      this.end.catch(() => undefined);
    }
    return this.end;
  }

  /** Behind the statements that are under way, too. */
  rollback(): Promise<QueryResult> {
    return this.client.query(this.patiently({ text: 'ROLLBACK' }));
  }

  async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.send<Row>(statement)).rows;
  }

  async execute(statement: Statement): Promise<number> {
    return (await this.send(statement)).rowCount ?? 0;
  }

  send<Row extends QueryResultRow>({ name, text, values }: Statement): Promise<QueryResult<Row>> {
    if (this.end !== undefined) throw new Error('A statement came after the commit of its transaction');
    const config = this.patiently({ name: this.prepares ? name : undefined, text, values });
    const sent = values?.some((value) => value instanceof BytesInPieces)
      ? this.sendPieces<Row>(config)
      : this.client.query<Row>(config);
    sent.catch((error: Error) => (this.failure ??= error));
    return sent;
  }

  /** Its answer may take as long as that of what was sent before it: the driver's clock starts when it is handed over. */
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

/** What PostgreSQL says of every statement that comes after the one that failed. */
function isConsequence(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25P02';
}

export function statementsOf(transaction: Transaction): DatabaseTransaction {
  if (transaction instanceof DatabaseTransaction) return transaction;
  throw new TypeError('This adapter writes to PostgreSQL and was handed a transaction of something else');
}
