import { Clock, Notice, Notices, Transaction } from '#kernel';
import { Config } from '#platform/config';
import { Database, Statement, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';

/** Announces a notice by writing it to the outbox. The outbox also prevents that it is announced twice. */
@Injectable()
export class PostgresNotices extends Notices {
  readonly operator: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    { values }: Config,
  ) {
    super();
    this.operator = values.noticesTo?.address;
  }

  async announce({ key, subject, text, to }: Notice, transaction?: Transaction): Promise<void> {
    if (to === undefined && this.operator === undefined) return;
    const statement: Statement = {
      text: `INSERT INTO notices (key, subject, text, created_at, due_at, recipient) VALUES ($1, $2, $3, $4, $4, $5)
             ON CONFLICT (key) DO NOTHING`,
      values: [key, subject, text, this.clock.now(), to ?? null],
    };
    await (transaction === undefined ? this.database : statementsOf(transaction)).execute(statement);
  }
}
