import { firstIdAt } from '#kernel';
import { Database } from '#postgres/database';
import type { Row, Statement } from '#postgres/database';
import {
  DataSubject,
  ErasedPortion,
  erasedPortionOf,
  erasingStatement,
  namesAddress,
  PersonalData,
  PersonalDataHolders,
  withoutAddress,
} from '#postgres/privacy';
import type { ErasedRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

const portionRows = 500;
/** In which mail is filed, if nothing is wrong. */
const filedWithinMs = 2_000;
const first = '00000000-0000-0000-0000-000000000000';
const firstPosition = `${first} ${first}`;
/** Positions behind the emails: `drafts <inbox id> <id>`. */
const drafts = 'drafts ';
/** Positions behind the drafts: `threads <inbox id> <root>`. */
const threads = 'threads ';

interface Found {
  readonly id: string;
  /** Its address; null if it was removed. */
  readonly inbox: string | null;
  readonly direction: string;
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string | null;
  readonly at: string;
  /** Whether the person wrote it, or is its only recipient. */
  readonly isOfPerson: boolean;
}

interface Portion {
  readonly last: string | null;
  readonly read: number;
  readonly found: readonly Found[] | null;
}

/** Of the team $1: also those that were removed, until their mail is deleted. */
const inboxes = `SELECT id, address FROM inboxes WHERE team_id = $1
  UNION ALL SELECT inbox_id, NULL FROM inbox_removals WHERE team_id = $1`;

/** The next emails of the team behind the position ($2, $3), of all its inboxes. Addresses are not indexed. */
const emailsBehind = `
  SELECT m.*, i.address FROM (${inboxes}) i CROSS JOIN LATERAL (
    SELECT * FROM inbox_emails e WHERE e.inbox_id = i.id AND e.id > CASE WHEN i.id = $2 THEN $3::uuid ELSE '${first}' END ORDER BY e.id LIMIT ${portionRows}
  ) m
  WHERE i.id >= $2 ORDER BY i.id, m.id LIMIT ${portionRows}`;

const draftsBehind = `
  SELECT m.*, i.address FROM (${inboxes}) i CROSS JOIN LATERAL (
    SELECT * FROM inbox_drafts d WHERE d.inbox_id = i.id AND d.id > CASE WHEN i.id = $2 THEN $3::uuid ELSE '${first}' END ORDER BY d.id LIMIT ${portionRows}
  ) m
  WHERE i.id >= $2 ORDER BY i.id, m.id LIMIT ${portionRows}`;

/** Reads one portion, and those of it in which `texts` name the person. */
function portionOf(rows: string, texts: string, author: string, fields: string): string {
  return `WITH portion AS MATERIALIZED (${rows})
    SELECT (SELECT inbox_id || ' ' || id FROM portion ORDER BY inbox_id DESC, id DESC LIMIT 1) AS last,
           (SELECT count(*)::int FROM portion) AS read,
           (SELECT json_agg(json_build_object('id', id, 'inbox', address, 'to', coalesce("to", '{}'), 'cc', cc,
                     'subject', subject, ${fields},
                     'isOfPerson', ${author} OR NOT EXISTS (
                       SELECT FROM unnest(coalesce("to", '{}') || cc || bcc) AS r (recipient) WHERE recipient !~ $4
                     )) ORDER BY inbox_id, id)
            FROM portion WHERE concat_ws(',', ${texts}) ~ $4) AS found`;
}

const listed = `array_to_string("to", ','), array_to_string(cc, ','), array_to_string(bcc, ',')`;
const emailsNaming = portionOf(
  emailsBehind,
  `"from", ${listed}, array_to_string(reply_to, ','), subject`,
  `"from" ~ $4`,
  `'direction', direction, 'from', "from", 'at', received_at`,
);
const draftsNaming = portionOf(
  draftsBehind,
  `${listed}, subject, html, text, snippet`,
  'false',
  `'direction', 'draft', 'from', address, 'at', created_at`,
);

const ofThread = { subject: 'text' } as const;
const subjectsOfThreads = erasingStatement(
  `SELECT m.* FROM inboxes i CROSS JOIN LATERAL (
     SELECT inbox_id, root FROM inbox_threads n
     WHERE n.inbox_id = i.id AND n.root > CASE WHEN i.id = $3 THEN $4::uuid ELSE '${first}' END ORDER BY n.root LIMIT ${portionRows}
   ) m
   WHERE i.team_id = $1 AND i.id >= $3 ORDER BY m.inbox_id, m.root LIMIT ${portionRows}`,
  ['inbox_id', 'root'],
  [
    `UPDATE inbox_threads t SET ${withoutAddress(ofThread)} FROM portion p
     WHERE t.inbox_id = p.inbox_id AND t.root = p.root AND ${namesAddress(ofThread)}`,
  ],
);

const without = (column: string): string => `regexp_replace(${column}, $3, '\\1erased', 'g')`;
const eachWithout = (column: string): string => `ARRAY(SELECT ${without('r')} FROM unnest(${column}) AS r)`;
const others = (column: string): string => `ARRAY(SELECT r FROM unnest(${column}) AS r WHERE r !~ $3)`;

/**
 * Mail in inboxes that names a person. Emails that the person wrote, or alone received, are deleted, as received and sent
 * emails are. In others `erased` stands in place of the address, and their texts are no longer searched, since they may name it.
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

  async erase(subject: DataSubject, after = firstPosition): Promise<ErasedPortion> {
    return after.startsWith(threads) ? this.eraseThreads(subject, after) : this.eraseMail(subject, after);
  }

  private async eraseMail({ teamId, spellings }: DataSubject, after: string): Promise<ErasedPortion> {
    const isOfDrafts = after.startsWith(drafts);
    const position = isOfDrafts ? after.slice(drafts.length) : after;
    const statement = isOfDrafts ? draftsNaming : emailsNaming;
    const { last, read, found } = await this.portion(statement, teamId, position, spellings.within);
    const idsOf = (isOfPerson: boolean): string[] =>
      (found ?? []).filter((one) => one.isOfPerson === isOfPerson).map(({ id }) => id);
    const [gone, changed] = [idsOf(true), idsOf(false)];
    if (gone.length > 0) await (isOfDrafts ? this.removeDrafts(teamId, gone) : this.removeEmails(teamId, gone));
    if (changed.length > 0) {
      const values = [teamId, changed, spellings.within];
      await this.database.execute(isOfDrafts ? changeDrafts(values) : changeEmails(values));
    }
    const behind = `${isOfDrafts ? threads : drafts}${firstPosition}`;
    const next = read === portionRows ? `${isOfDrafts ? drafts : ''}${last}` : behind;
    return { erased: gone.length + changed.length, next, isWaiting: false };
  }

  /** A thread has the subject of its first email, which may be gone. */
  private async eraseThreads({ teamId, spellings }: DataSubject, after: string): Promise<ErasedPortion> {
    const [row] = await this.database.query<Row<ErasedRows>>({
      text: subjectsOfThreads,
      values: [teamId, spellings.within, ...after.slice(threads.length).split(' ')],
    });
    const { erased, next } = erasedPortionOf(row, portionRows);
    const isWaiting = next === undefined && (await this.isBeingFiled(teamId));
    return { erased, next: next === undefined ? undefined : `${threads}${next}`, isWaiting };
  }

  /** What is filed later comes from received mail that may be erased by then. Mail of the last moments is being filed all the time. */
  private async isBeingFiled(teamId: string): Promise<boolean> {
    const [row] = await this.database.query<{ isWaiting: boolean }>({
      text: `SELECT EXISTS (SELECT FROM inbox_arrivals WHERE team_id = $1 AND received_id < $2) AS "isWaiting"`,
      values: [teamId, firstIdAt(new Date(Date.now() - filedWithinMs))],
    });
    return row?.isWaiting === true;
  }

  private async portion(text: Statement['text'], teamId: string, after: string, pattern: string): Promise<Portion> {
    const [inboxId, id] = after.split(' ');
    const [portion] = await this.database.query<Row<Portion>>({ text, values: [teamId, inboxId, id, pattern] });
    return portion ?? { last: null, read: 0, found: null };
  }

  private async removeDrafts(teamId: string, ids: readonly string[]): Promise<void> {
    await this.database.execute({
      text: `DELETE FROM inbox_drafts
             WHERE inbox_id IN (SELECT id FROM (${inboxes}) i) AND id = ANY ($2::uuid[])`,
      values: [teamId, ids],
    });
  }

  /** Threads without emails go with their last one. */
  private async removeEmails(teamId: string, ids: readonly string[]): Promise<void> {
    await this.database.run(async (transaction) => {
      const gone = await transaction.query<{ threadId: string }>({
        text: `DELETE FROM inbox_emails
               WHERE inbox_id IN (SELECT id FROM (${inboxes}) i) AND id = ANY ($2::uuid[])
               RETURNING thread_id AS "threadId"`,
        values: [teamId, ids],
      });
      const threads = [gone.map(({ threadId }) => threadId)];
      await transaction.execute({
        text: `UPDATE inbox_threads t SET email_count = t.email_count - c.emails, is_unread = t.is_unread AND left_over.is_unread,
                 has_attachment = t.has_attachment AND left_over.has_attachment
               FROM (SELECT id, count(*)::int AS emails FROM unnest($1::uuid[]) AS g (id) GROUP BY id ORDER BY id) c
               CROSS JOIN LATERAL (
                 SELECT coalesce(bool_or(e.direction = 'inbound' AND e.no > n.read_through), false) AS is_unread,
                        coalesce(bool_or(e.attachments <> '[]'), false) AS has_attachment
                 FROM inbox_threads n JOIN inbox_emails e ON e.thread_id = n.id WHERE n.id = c.id
               ) left_over
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

function changeEmails(values: unknown[]): Statement {
  return {
    text: `UPDATE inbox_emails e SET subject = n.subject, "from" = n."from", "to" = n."to", cc = n.cc, bcc = n.bcc, reply_to = n.reply_to,
             search = to_tsvector('simple', concat_ws(' ', n.subject, n."from", array_to_string(n."to", ' '), array_to_string(n.cc, ' ')))
                      || array_to_tsvector(ARRAY['inbox=' || e.inbox_id])
           FROM (
             SELECT inbox_id, id, ${without('subject')} AS subject, ${without('"from"')} AS "from", ${eachWithout('"to"')} AS "to",
                    ${eachWithout('cc')} AS cc, ${eachWithout('bcc')} AS bcc, ${eachWithout('reply_to')} AS reply_to
             FROM inbox_emails
             WHERE inbox_id IN (SELECT id FROM (${inboxes}) i) AND id = ANY ($2::uuid[])
           ) n
           WHERE e.inbox_id = n.inbox_id AND e.id = n.id`,
    values,
  };
}

function changeDrafts(values: unknown[]): Statement {
  return {
    text: `UPDATE inbox_drafts SET "to" = CASE WHEN "to" IS NOT NULL THEN ${others('"to"')} END, cc = ${others('cc')}, bcc = ${others('bcc')},
             subject = ${without('subject')}, html = ${without('html')}, text = ${without('text')}, snippet = ${without('snippet')},
             version = version + 1
           WHERE inbox_id IN (SELECT id FROM (${inboxes}) i) AND id = ANY ($2::uuid[])`,
    values,
  };
}
