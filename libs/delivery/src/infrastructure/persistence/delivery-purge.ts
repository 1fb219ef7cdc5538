import { idsOfDay } from '#kernel';
import { Database, Statement } from '#platform/database';
import { maxRemovedRows, Purge, Purges } from '#platform/retention';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';

/**
 * Keeps the days of which an email is scheduled or in the queue, until that email has met its end and the last attempt is
 * past `RETENTION_DAYS` too. An old day cannot come to be needed again, since new emails have new ids. Openings and late
 * reports keep nothing: of a day with much mail there is always somebody who reads.
 */
@Injectable()
export class DeliveryPurge extends Purge {
  override readonly decidesOn = 'emails';
  /** When mail of a day that stays was last attempted: it can only be later by now. Saves reading it again. */
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
    // An attempt is written together with its email's leaving the queue: what was not there any more has it here.
    const last = known === undefined || known < cutoff ? await this.lastAttempt(day, session) : known;
    if (last >= cutoff) this.lastAttempts.set(day.getTime(), last);
    else this.lastAttempts.delete(day.getTime());
    return last >= cutoff;
  }

  /** A pause ends with the first message that goes through. Where no message comes any more, it ends here. */
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

  /** One statement sees an email either scheduled or queued, also while it is being released. */
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
