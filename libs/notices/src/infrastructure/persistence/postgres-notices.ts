import { Injectable } from '@nestjs/common';
import { Clock, Mailbox, Notice, Notices, parseMailbox, Transaction } from '#kernel';
import { Config } from '#platform/config';
import { Database, Statement, statementsOf } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';

/** Announces a notice by writing it to the outbox. The outbox also prevents that it is announced twice. */
@Injectable()
export class PostgresNotices extends Notices {
  readonly operator: string | undefined;
  readonly sender: Mailbox | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    config: Config,
  ) {
    super();
    this.operator = config.values.noticesTo?.address;
    this.sender = noticeSender(config);
  }

  async announce({ key, subject, text, to, isUrgent, owner }: Notice, transaction?: Transaction): Promise<void> {
    if (to === undefined && this.operator === undefined) return;
    const statement: Statement = {
      text: `INSERT INTO notices (key, subject, text, created_at, due_at, recipient, is_urgent, owner)
             VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
             ON CONFLICT (key) DO NOTHING`,
      values: [key, subject, text, this.clock.now(), to ?? null, isUrgent ?? false, owner ?? to ?? 'operator'],
    };
    await (transaction === undefined ? this.database : statementsOf(transaction)).execute(statement);
  }
}

/** Removes old notices, sent or not. */
@Injectable()
export class NoticesPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM notices WHERE key = ANY (ARRAY(
                 SELECT key FROM notices WHERE created_at < $1 LIMIT ${maxRemovedRows}))`,
        values: [cutoff],
      },
    ];
  }
}

/** `NOTICES_FROM`, or with the sandbox an address of its domain, so that mail to users can be read in its inbox. */
export function noticeSender({ values }: Config): Mailbox | undefined {
  if (values.noticesFrom !== undefined || values.deliveryTransport !== 'sandbox') return values.noticesFrom;
  return parseMailbox('Postrider <postrider@sandbox.postrider.test>');
}
