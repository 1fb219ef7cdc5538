import { Injectable } from '@nestjs/common';
import { Clock, Mailbox, Notice, Notices, parseMailbox, Transaction } from '#kernel';
import { Config } from '#platform/config';
import { Database, Statement, statementsOf } from '#postgres/database';
import { NoticePosts } from '../../application/ports/notice-posts.port.js';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';

/** Announces a notice by writing it to the outbox. The outbox also prevents that it is announced twice. */
@Injectable()
export class PostgresNotices extends Notices {
  readonly operator: string | undefined;
  readonly sender: Mailbox | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly posts: NoticePosts,
    config: Config,
  ) {
    super();
    this.operator = config.values.noticesTo?.address;
    this.sender = noticeSender(config);
  }

  /** Each way by which the operator is told has a row of its own, so that one that fails holds up no other. */
  async announce(notice: Notice, transaction?: Transaction): Promise<void> {
    const { key, subject, text, to, isUrgent, owner } = notice;
    const recipients = to === undefined ? this.waysOf(notice) : [to];
    if (recipients.length === 0) return;
    const statement: Statement = {
      text: `INSERT INTO notices (key, subject, text, created_at, due_at, recipient, is_urgent, owner)
             SELECT key, $3, $4, $5, $5, recipient, $6, $7 FROM unnest($1::text[], $2::text[]) AS way (key, recipient)
             ON CONFLICT (key) DO NOTHING`,
      values: [
        recipients.map((recipient) => (recipient === null || recipient === to ? key : `${key} ${recipient}`)),
        recipients,
        subject,
        text,
        this.clock.now(),
        isUrgent ?? false,
        owner ?? to ?? 'operator',
      ],
    };
    await (transaction === undefined ? this.database : statementsOf(transaction)).execute(statement);
  }

  /** Null is the mail to the operator. */
  private waysOf({ isByMailOnly }: Notice): readonly (string | null)[] {
    return [...(this.operator === undefined ? [] : [null]), ...(isByMailOnly === true ? [] : this.posts.names)];
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
