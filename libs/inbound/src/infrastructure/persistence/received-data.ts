import { Injectable } from '@nestjs/common';
import { Database, Statement } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { ReceivedInbox } from '../../application/received-inbox.use-case.js';
import { namesAddress } from './erase-recipient.js';

const portionRows = 500;
const first = '00000000-0000-0000-0000-000000000000';

interface Received {
  readonly id: string;
  readonly createdAt: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly receivedFor: readonly string[];
  readonly subject: string;
  readonly isAuthor: boolean;
}

interface Portion {
  /** Undefined at the end. */
  readonly last: string | undefined;
  readonly found: readonly Received[];
}

/**
 * The mail that a person has sent to a team, and the mail of others that names the person. Only authors are indexed, so
 * all of the team's received mail is read, portion by portion: that costs nothing when mail is accepted, and finds what
 * came before.
 */
@Injectable()
export class ReceivedData extends PersonalData {
  readonly name = 'received';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
    private readonly inbox: ReceivedInbox,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const portion: Portion = await this.portion(teamId, spellings.mailbox, after);
      for (const { id, createdAt, from, to, cc, receivedFor, subject, isAuthor } of portion.found) {
        yield {
          id,
          created_at: new Date(createdAt).toISOString(),
          from,
          to,
          cc,
          received_for: receivedFor,
          subject,
          as: isAuthor ? 'author' : 'recipient',
        };
      }
      after = portion.last;
    }
  }

  async erase({ teamId, address }: DataSubject, after?: string): Promise<ErasedPortion> {
    return this.inbox.erase(teamId, address, after);
  }

  private async portion(teamId: string, pattern: string, after: string): Promise<Portion> {
    const [row] = await this.database.query<{ last: string | null; read: number; found: Received[] | null }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT * FROM received_emails WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT ${portionRows}
             )
             SELECT (SELECT id FROM portion ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('id', id, 'createdAt', created_at, 'from', "from", 'to', "to", 'cc', cc,
                              'receivedFor', recipients, 'subject', subject, 'isAuthor', "from" ~ $3) ORDER BY id)
                     FROM portion WHERE ${namesAddress('$3')}) AS found`,
      values: [teamId, after, pattern],
    });
    if (row === undefined) return { last: undefined, found: [] };
    return { last: row.read < portionRows ? undefined : (row.last ?? undefined), found: row.found ?? [] };
  }
}

/** Other servers send a message again for five days. */
const keptMs = 7 * 86_400_000;

/** Removes receipts that nobody confirmed, since the message was not sent again, and the threads of old messages. */
@Injectable()
export class ReceivedPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now, cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM received_receipts WHERE digest = ANY (ARRAY(
                 SELECT digest FROM received_receipts WHERE created_at < $1 ORDER BY created_at LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - keptMs)],
      },
      {
        text: `DELETE FROM received_threads WHERE (team_id, message_key) IN (
                 SELECT team_id, message_key FROM received_threads WHERE created_at < $1 ORDER BY created_at LIMIT ${maxRemovedRows})`,
        values: [cutoff],
      },
    ];
  }
}
