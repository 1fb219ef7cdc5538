import { Database } from '#postgres/database';
import type { Row, Statement } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

const portionRows = 500;
const first = '00000000-0000-0000-0000-000000000000';
const firstPosition = `${first} ${first}`;
/** Positions behind the emails: `drafts <inbox id> <id>`. */
const drafts = 'drafts ';

interface Found {
  readonly id: string;
  readonly inbox: string;
  readonly direction: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string | null;
  readonly at: string;
}

interface Portion {
  readonly last: string | null;
  readonly read: number;
  readonly found: readonly Found[] | null;
}

/** The next emails of the team behind the position ($2, $3), of all its inboxes. Addresses are not indexed. */
const emailsBehind = `
  SELECT m.*, i.address FROM inboxes i CROSS JOIN LATERAL (
    SELECT * FROM inbox_emails e WHERE e.inbox_id = i.id AND (i.id > $2 OR e.id > $3) ORDER BY e.id LIMIT ${portionRows}
  ) m
  WHERE i.team_id = $1 AND i.id >= $2 ORDER BY i.id, m.id LIMIT ${portionRows}`;

const draftsBehind = `
  SELECT m.*, i.address FROM inboxes i CROSS JOIN LATERAL (
    SELECT * FROM inbox_drafts d WHERE d.inbox_id = i.id AND (i.id > $2 OR d.id > $3) ORDER BY d.id LIMIT ${portionRows}
  ) m
  WHERE i.team_id = $1 AND i.id >= $2 ORDER BY i.id, m.id LIMIT ${portionRows}`;

/** Reads one portion, and those of it in which `texts` name the person. */
function portionOf(rows: string, texts: string, fields: string): string {
  return `WITH portion AS MATERIALIZED (${rows})
    SELECT (SELECT inbox_id || ' ' || id FROM portion ORDER BY inbox_id DESC, id DESC LIMIT 1) AS last,
           (SELECT count(*)::int FROM portion) AS read,
           (SELECT json_agg(json_build_object('id', id, 'inbox', address, 'to', coalesce("to", '{}'), 'cc', cc,
                     'subject', subject, ${fields}) ORDER BY inbox_id, id)
            FROM portion WHERE concat_ws(',', ${texts}) ~ $4) AS found`;
}

const listed = `array_to_string("to", ','), array_to_string(cc, ','), array_to_string(bcc, ',')`;
const emailsNaming = portionOf(
  emailsBehind,
  `"from", ${listed}, array_to_string(reply_to, ',')`,
  `'direction', direction, 'from', "from", 'at', received_at`,
);
const draftsNaming = portionOf(
  draftsBehind,
  `${listed}, html, text`,
  `'direction', 'draft', 'from', address, 'at', created_at`,
);

/**
 * Mail in inboxes that names a person. Erasure takes it out of the inboxes: its content stands with the received and the
 * sent emails, which are erased for themselves.
 */
@Injectable()
export class InboxesData extends PersonalData {
  readonly name = 'inboxes';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (const statement of [emailsNaming, draftsNaming]) {
      for (let after: string | undefined = firstPosition; after !== undefined;) {
        const { last, read, found }: Portion = await this.portion(statement, teamId, after, spellings.within);
        for (const { id, inbox, direction, from, to, cc, subject, at } of found ?? []) {
          yield { id, inbox, direction, from, to, cc, subject, at: new Date(at).toISOString() };
        }
        after = read === portionRows ? (last ?? undefined) : undefined;
      }
    }
  }

  async erase({ teamId, spellings }: DataSubject, after = firstPosition): Promise<ErasedPortion> {
    const isOfDrafts = after.startsWith(drafts);
    const position = isOfDrafts ? after.slice(drafts.length) : after;
    const statement = isOfDrafts ? draftsNaming : emailsNaming;
    const { last, read, found } = await this.portion(statement, teamId, position, spellings.within);
    const ids = (found ?? []).map(({ id }) => id);
    if (ids.length > 0) await (isOfDrafts ? this.removeDrafts(teamId, ids) : this.removeEmails(teamId, ids));
    const behind = isOfDrafts ? undefined : `${drafts}${firstPosition}`;
    const next = read === portionRows ? `${isOfDrafts ? drafts : ''}${last}` : behind;
    return { erased: ids.length, next, isWaiting: false };
  }

  private async portion(text: Statement['text'], teamId: string, after: string, pattern: string): Promise<Portion> {
    const [inboxId, id] = after.split(' ');
    const [portion] = await this.database.query<Row<Portion>>({ text, values: [teamId, inboxId, id, pattern] });
    return portion ?? { last: null, read: 0, found: null };
  }

  private async removeDrafts(teamId: string, ids: readonly string[]): Promise<void> {
    await this.database.execute({
      text: `DELETE FROM inbox_drafts
             WHERE inbox_id IN (SELECT id FROM inboxes WHERE team_id = $1) AND id = ANY ($2::uuid[])`,
      values: [teamId, ids],
    });
  }

  /** Threads without emails go with their last one. */
  private async removeEmails(teamId: string, ids: readonly string[]): Promise<void> {
    await this.database.run(async (transaction) => {
      const gone = await transaction.query<{ threadId: string }>({
        text: `DELETE FROM inbox_emails
               WHERE inbox_id IN (SELECT id FROM inboxes WHERE team_id = $1) AND id = ANY ($2::uuid[])
               RETURNING thread_id AS "threadId"`,
        values: [teamId, ids],
      });
      const threads = [gone.map(({ threadId }) => threadId)];
      await transaction.execute({
        text: `UPDATE inbox_threads t SET email_count = t.email_count - c.emails
               FROM (SELECT id, count(*)::int AS emails FROM unnest($1::uuid[]) AS g (id) GROUP BY id ORDER BY id) c
               WHERE t.id = c.id`,
        values: threads,
      });
      await transaction.execute({
        text: `DELETE FROM inbox_threads t
               WHERE id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT FROM inbox_emails e WHERE e.thread_id = t.id)`,
        values: threads,
      });
    });
  }
}
