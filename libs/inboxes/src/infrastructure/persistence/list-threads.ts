import { isUuid, Page, pageOf, PageRequest, storableText, ValidationError } from '#kernel';
import { Database, type Row } from '#postgres/database';
import { ThreadSearch, FoundThread, ThreadFilter } from '../../application/ports/thread-repository.port.js';
import { InboxEmail, InboxThread } from '../../domain/thread.js';
import { ofInbox } from './file-email.js';

/** Columns of a thread `t` with its newest email `e`. */
export const threadColumns = `t.id, t.inbox_id AS "inboxId", t.subject, e."from", coalesce(e."to", '{}') AS "to",
  coalesce(e.cc, '{}') AS cc, coalesce(e.bcc, '{}') AS bcc, t.email_count AS "emailCount", t.has_attachment AS "hasAttachment",
  NOT t.is_unread AS "isRead", t.last_email_at AS "lastEmailAt", t.folder,
  CASE WHEN t.assignee_id IS NOT NULL THEN (
    SELECT m.email FROM inboxes i JOIN published_member_addresses m ON m.team_id = i.team_id AND m.user_id = t.assignee_id
    WHERE i.id = t.inbox_id) END AS "assigneeEmail",
  EXISTS (SELECT FROM inbox_drafts d WHERE d.thread_id = t.id AND d.email_id IS NULL) AS "hasDraft",
  (SELECT coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) ORDER BY folded_case(l.name)), '[]')
   FROM inbox_labels l WHERE l.inbox_id = t.inbox_id AND l.id = ANY (t.labels)) AS labels`;

export const newestEmail = 'LEFT JOIN inbox_emails e ON e.inbox_id = t.inbox_id AND e.id = t.last_email_id';

/** Columns of an email `e` of the thread `t`. What was sent is read. */
export const emailColumns = `e.id, e.inbox_id AS "inboxId", e.thread_id AS "threadId", e.direction, e."from", e."to", e.cc, e.bcc,
  e.reply_to AS "replyTo", e.subject, e.message_id AS "messageId", e.attachments, e.received_at AS "receivedAt",
  e.direction = 'outbound' OR e.no <= t.read_through AS "isRead"`;

export type ThreadRow = Row<InboxThread>;
export type InboxEmailRow = Row<InboxEmail>;

/** Emails of an inbox that are read by a search without words, the newest ones. Words have an index. */
const maxReadEmails = 20_000;
/** Addresses of one field in which a search looks. */
const maxReadAddresses = 100;

/** Values of a statement, with the parameters that stand for them. */
class Values {
  readonly all: unknown[] = [];

  add(value: unknown): string {
    return `$${this.all.push(value)}`;
  }
}

interface Order {
  readonly direction: 'ASC' | 'DESC';
  /** Condition on the position of a thread `t`; empty on the first page. */
  readonly behindCursor: string;
  readonly limit: number;
}

/** Threads of some folders. Each folder is read in its order, so that page 1 and page 10,000 cost the same. */
export async function listThreads(
  database: Database,
  inboxId: string,
  filter: ThreadFilter,
  page: PageRequest,
): Promise<Page<InboxThread>> {
  const values = new Values();
  const inbox = values.add(inboxId);
  const order = await orderOf(database, inboxId, page, values);
  const { direction, limit } = order;
  const conditions = `${assigneeCondition(filter, inbox, values)} ${readCondition(filter)} ${order.behindCursor}`;
  const inFolder = `WHERE t.inbox_id = ${inbox} AND t.folder = f.folder ${conditions}
             ORDER BY t.last_email_at ${direction}, t.id ${direction} LIMIT ${limit}`;
  // Labelled threads are found by their index: in the order of a folder they may be far apart.
  const labelled =
    filter.labels.length === 0
      ? ''
      : `WITH labelled AS MATERIALIZED (
           SELECT * FROM inbox_threads
           WHERE labels && ${values.add(filter.labels)}::uuid[] AND labels <> '{}' AND inbox_id = ${inbox})`;
  const threads =
    labelled === '' ? `SELECT * FROM inbox_threads t ${inFolder}` : `SELECT * FROM labelled t ${inFolder}`;
  const read = await database.query<ThreadRow>({
    text: `${labelled}
           SELECT ${threadColumns} FROM unnest(${values.add(filter.folders)}::text[]) AS f (folder)
           CROSS JOIN LATERAL (${threads}) t ${newestEmail}
           ORDER BY t.last_email_at ${direction}, t.id ${direction} LIMIT ${limit}`,
    values: values.all,
  });
  return pageOf(page, read);
}

/** Threads with an email that has everything that is searched for. */
export async function searchThreads(
  database: Database,
  inboxId: string,
  filter: ThreadFilter,
  search: ThreadSearch,
  page: PageRequest,
): Promise<Page<FoundThread>> {
  const values = new Values();
  const inbox = values.add(inboxId);
  const order = await orderOf(database, inboxId, page, values);
  const { direction, limit } = order;
  const conditions = emailConditions(search, values);
  if (conditions.length === 0) {
    const all = await listThreads(database, inboxId, filter, page);
    return { ...all, items: all.items.map((thread) => ({ ...thread, matchedEmailId: null })) };
  }
  const words =
    search.query === undefined
      ? `m.id >= coalesce((SELECT id FROM inbox_emails WHERE inbox_id = ${inbox} ORDER BY id DESC OFFSET ${maxReadEmails} LIMIT 1),
                          '00000000-0000-0000-0000-000000000000')`
      : `m.search @@ (quote_literal(${values.add(ofInbox(inboxId))})::tsquery
                      && websearch_to_tsquery('simple', ${values.add(storableText(search.query))}))`;
  const labels = filter.labels.length > 0 ? `AND t.labels && ${values.add(filter.labels)}::uuid[]` : '';
  const read = await database.query<ThreadRow & { matchedEmailId: string }>({
    text: `WITH matched AS MATERIALIZED (
             SELECT DISTINCT ON (m.thread_id) m.thread_id, m.id FROM inbox_emails m
             WHERE m.inbox_id = ${inbox} AND ${[words, ...conditions].join(' AND ')}
             ORDER BY m.thread_id, m.id DESC
           ), found AS MATERIALIZED (
             SELECT t.*, matched.id AS matched_id FROM matched JOIN inbox_threads t ON t.id = matched.thread_id
             WHERE t.inbox_id = ${inbox} AND t.folder = ANY (${values.add(filter.folders)}::text[]) ${labels}
               ${assigneeCondition(filter, inbox, values)} ${readCondition(filter)}
               ${order.behindCursor}
             ORDER BY t.last_email_at ${direction}, t.id ${direction} LIMIT ${limit}
           )
           SELECT ${threadColumns}, t.matched_id AS "matchedEmailId" FROM found t ${newestEmail}
           ORDER BY t.last_email_at ${direction}, t.id ${direction}`,
    values: values.all,
  });
  return pageOf(page, read);
}

/** A thread moves when an email comes: a page begins where the thread of the cursor is now. */
async function orderOf(database: Database, inboxId: string, page: PageRequest, values: Values): Promise<Order> {
  const cursor = page.after ?? page.before;
  const direction = page.before === undefined ? 'DESC' : 'ASC';
  const limit = page.limit + 1;
  if (cursor === undefined) return { direction, behindCursor: '', limit };
  const [found] = isUuid(cursor)
    ? await database.query<{ id: string; at: string }>({
        // As text, because a time in JavaScript has no microseconds.
        text: 'SELECT id, last_email_at::text AS at FROM inbox_threads WHERE inbox_id = $1 AND id = $2',
        values: [inboxId, cursor],
      })
    : [];
  if (found === undefined) throw new ValidationError('The cursor must be the id of an item of the list.');
  const operator = direction === 'DESC' ? '<' : '>';
  const position = `(${values.add(found.at)}::timestamptz, ${values.add(found.id)}::uuid)`;
  return { direction, behindCursor: `AND (t.last_email_at, t.id) ${operator} ${position}`, limit };
}

function assigneeCondition({ assigneeEmail }: ThreadFilter, inbox: string, values: Values): string {
  if (assigneeEmail === undefined) return '';
  return `AND t.assignee_id = (
    SELECT m.user_id FROM inboxes i JOIN published_member_addresses m ON m.team_id = i.team_id
    WHERE i.id = ${inbox} AND lower(m.email) = lower(${values.add(assigneeEmail)}))`;
}

function readCondition({ isRead }: ThreadFilter): string {
  if (isRead === undefined) return '';
  return isRead ? 'AND NOT t.is_unread' : 'AND t.is_unread';
}

/** Conditions on an email `m`, without the one on its words. Alternatives are compared without regard to case. */
function emailConditions(search: ThreadSearch, values: Values): string[] {
  const { query, from, to, cc, bcc, hasAttachment, since, until } = search;
  const contains = (text: string, alternatives: readonly string[]): string[] =>
    alternatives.length === 0
      ? []
      : [
          `EXISTS (SELECT FROM unnest(${values.add(alternatives.map(storableText))}::text[]) AS w (part)
                   WHERE strpos(folded_case(${text}), folded_case(w.part)) > 0)`,
        ];
  return [
    ...(query === undefined ? [] : ['true']),
    ...contains('m."from"', from),
    ...contains(firstOf('m."to"'), to),
    ...contains(firstOf('m.cc'), cc),
    ...contains(firstOf('m.bcc'), bcc),
    ...(hasAttachment === undefined ? [] : [`(m.attachments <> '[]') = ${values.add(hasAttachment)}`]),
    ...(since === undefined ? [] : [`m.received_at >= ${values.add(since)}`]),
    ...(until === undefined ? [] : [`m.received_at < ${values.add(until)}`]),
  ];
}

function firstOf(column: string): string {
  return `array_to_string((${column})[1:${maxReadAddresses}], ' ')`;
}
