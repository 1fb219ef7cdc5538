import { Transaction } from '#kernel';
import { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { BytesInPieces, PiecesQuery } from './pieces-query.js';
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
   * Sets the driver's timeout. It covers the statements that were sent before, because it starts when a statement is
   * queued.
   */
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

export function statementsOf(transaction: Transaction): DatabaseTransaction {
  if (transaction instanceof DatabaseTransaction) return transaction;
  throw new TypeError('This adapter writes to PostgreSQL and was given a transaction of another kind');
}

/** Whether the statement failed only because an earlier one in its transaction had failed (SQLSTATE 25P02). */
export function isConsequence(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25P02';
}
