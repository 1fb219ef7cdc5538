import { Transaction } from '#kernel';
import { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { BytesInPieces, PiecesQuery, PlainQuery } from './pieces-query.js';
import { CopyQuery } from './copy-query.js';
import type { Statement } from './statement.js';
import { answerWithinMs, ordinaryLimits, TimeLimits } from './time-limits.js';

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
   * Sends the commit directly after the pending statements, without waiting for their results, so that locks are not
   * held while this process is busy. No statement may follow. Where a pending statement fails, everything is rolled
   * back.
   */
  commit(): Promise<QueryResult> {
    if (this.end === undefined) {
      this.end = this.queued({ text: 'COMMIT' });
      this.end.catch(() => undefined);
    }
    return this.end;
  }

  /** Sends the rollback directly after the pending statements. No statement may follow: it would be in no transaction. */
  rollback(): Promise<QueryResult> {
    this.end = this.queued({ text: 'ROLLBACK' });
    return this.end;
  }

  async query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      return (await this.send<Row>(statement)).rows;
    } catch (error) {
      throw fromHere(error);
    }
  }

  async execute(statement: Statement): Promise<number> {
    try {
      return (await this.send(statement)).rowCount ?? 0;
    } catch (error) {
      throw fromHere(error);
    }
  }

  send<Row extends QueryResultRow>({ name, text, values }: Statement): Promise<QueryResult<Row>> {
    if (this.end !== undefined) throw new Error('A statement came after the end of its transaction');
    const sent = this.queued<Row>({ name: this.prepares ? name : undefined, text, values });
    sent.catch((error: Error) => void (isConsequence(error) || (this.failure ??= error)));
    return sent;
  }

  /**
   * Copies rows (`CopyRows`) into a table: `COPY table (columns) FROM STDIN (FORMAT binary)`. It costs PostgreSQL half
   * of what an INSERT costs. No statement may be sent until it has ended. A failed copy leaves the transaction usable
   * behind a savepoint.
   */
  async copy(text: string, rows: Uint8Array): Promise<void> {
    if (this.end !== undefined) throw new Error('A copy came after the end of its transaction');
    const config = { text, query_timeout: answerWithinMs(this.limits) };
    await new Promise<void>((resolve, reject) => {
      this.client.query(new CopyQuery(config, rows, (error) => (error ? reject(error) : resolve())));
    });
  }

  /**
   * The driver's timeout covers the statements that were sent before, because it starts when a statement is queued.
   */
  private queued<Row extends QueryResultRow>({ name, text, values }: Statement): Promise<QueryResult<Row>> {
    const query_timeout = this.limits === ordinaryLimits ? undefined : answerWithinMs(this.limits);
    const Query = values?.some((value) => value instanceof BytesInPieces) ? PiecesQuery : PlainQuery;
    return new Promise((resolve, reject) => {
      const done = (error: Error | null | undefined, result: QueryResult): void => {
        if (error) reject(error);
        else resolve(result as QueryResult<Row>);
      };
      this.client.query(new Query({ name, text, values, query_timeout }, done));
    });
  }
}

export function statementsOf(transaction: Transaction): DatabaseTransaction {
  if (transaction instanceof DatabaseTransaction) return transaction;
  throw new TypeError('This adapter writes to PostgreSQL and was given a transaction of another kind');
}

/** The error with the stack of those that wait for it, in place of one that leads to the driver's socket. */
export function fromHere(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error);
  return error;
}

/** Whether the statement failed only because an earlier one in its transaction had failed (SQLSTATE 25P02). */
export function isConsequence(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25P02';
}
