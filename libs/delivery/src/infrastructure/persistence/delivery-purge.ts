import { idsOfDay } from '#kernel';
import { Database, Statement } from '#postgres/database';
import { maxRemovedRows, Purge, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';

/**
 * Keeps the partition of a day while an email of that day is scheduled or queued, and until its last attempt is older
 * than `RETENTION_DAYS`. A day that is no longer needed cannot be needed again, since new emails have new ids. Opens
 * and late reports do not keep a day: on a day with much mail some recipient always opens an email.
 */
@Injectable()
export class DeliveryPurge extends Purge {
  override readonly decidesOn = 'emails';
  /**
   * Time of the last attempt for a day that is kept. It can only grow, so a day with a recent attempt is not read
   * again.
   */
  private readonly lastAttempts = new Map<number, Date>();

  constructor(
    purges: Purges,
    private readonly database: Database,
  ) {
    super(purges);
  }

  override async needsDay(day: Date, cutoff: Date, session: ClientBase): Promise<boolean> {
    if (await this.isToBeSent(day)) return true;
    const known = this.lastAttempts.get(day.getTime());
    // An attempt is written in the transaction that removes its recipient from the queue. So an email that is no longer
    // queued has its last attempt here.
    const last = known === undefined || known < cutoff ? await this.lastAttempt(day, session) : known;
    if (last >= cutoff) this.lastAttempts.set(day.getTime(), last);
    else this.lastAttempts.delete(day.getTime());
    return last >= cutoff;
  }

  /** A pause ends with the first accepted message. A pause of a lane without mail is removed here. */
  override leftovers(): readonly Statement[] {
    return [
      {
        text: `DELETE FROM lane_pauses WHERE lane = ANY (ARRAY(
                 SELECT lane FROM lane_pauses p
                 WHERE until < now() - interval '1 day' AND NOT EXISTS (SELECT 1 FROM outbound_queue q WHERE q.lane = p.lane)
                 LIMIT ${maxRemovedRows}))`,
      },
    ];
  }

  /** Uses one statement, which sees an email as either scheduled or queued, even while it moves between the two. */
  private async isToBeSent(day: Date): Promise<boolean> {
    const [row] = await this.database.query<{ waiting: boolean }>({
      text: `SELECT EXISTS (SELECT 1 FROM outbound_queue WHERE email_id >= $1 AND email_id < $2)
                 OR EXISTS (SELECT 1 FROM published_scheduled_emails WHERE email_id >= $1 AND email_id < $2) AS waiting`,
      values: [...idsOfDay(day)],
    });
    return row?.waiting !== false;
  }

  private async lastAttempt(day: Date, session: ClientBase): Promise<Date> {
    const { rows } = await session.query<{ last: Date | null }>(
      'SELECT max(started_at) AS last FROM delivery_attempts WHERE email_id >= $1 AND email_id < $2',
      [...idsOfDay(day)],
    );
    return rows[0]?.last ?? day;
  }
}
