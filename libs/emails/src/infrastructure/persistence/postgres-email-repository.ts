import { actorColumns } from '#identity';
import { isUuid, Page, pageOf, PageRequest, Transaction, ValidationError } from '#kernel';
import {
  boundsOf,
  Database,
  idsWithin,
  keysetCondition,
  nearestFirst,
  rangeOf,
  Statement,
  statementsOf,
  storableJson,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { AcceptedEmails } from '../../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { EmailRepository, LockedRecipient, OutgoingEmail } from '../../application/ports/email-repository.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { Email, Tag } from '../../domain/email.js';
import { EmailEvent, RecipientChange } from '../../domain/email-events.js';
import { emailColumns, emailOf, EmailRow } from './email.row.js';
import { lockedEmails, lockRecipient } from './email-locks.js';
import { RecentEmails } from '../../application/outgoing-emails.js';
import { outgoingEmails, storedIdsOf } from '../../application/stored-content.js';

/** Tables whose keys begin with an id that this process has generated for the email or its content. */
const keyedByOwnIds = /^(?:emails|recipients|email_events|message_contents)_p|^(?:scheduled_emails|outbound_queue)$/;

/** Inserts accepted emails. */
@Injectable()
export class PostgresAcceptedEmails extends AcceptedEmails {
  insert(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<void> {
    // Made at once, not in a promise: an error here must come before the commit is sent.
    const statement = acceptanceStatement(emails);
    return statementsOf(transaction)
      .execute(statement)
      .then(() => undefined);
  }

  wereInsertedBefore(error: unknown): boolean {
    const { code, table } = error as { code?: string; table?: string };
    return code === '23505' && keyedByOwnIds.test(table ?? '');
  }
}

/**
 * Writes the emails, recipients and first events of a whole group in one statement. The rows are sent as JSON: one
 * native stringify here and one parse in PostgreSQL cost less than escaping a dozen text arrays.
 */
function acceptanceStatement(emails: readonly AcceptedEmail[]): Statement {
  return {
    name: 'accept-emails',
    text: `
      WITH accepted AS (
        SELECT * FROM json_to_recordset($1::json) AS e (
          id uuid, team_id uuid, domain_id uuid, api_key_id uuid, actor_kind text, actor_id uuid, topic_id uuid, created_at timestamptz, scheduled_at timestamptz,
          size int, event_seq int, last_event text, message_id text, "from" text, "to" text[],
          cc text[], bcc text[], reply_to text[], subject text, headers jsonb, tags jsonb, attachments jsonb,
          tracking jsonb,
         content_id uuid, merge_values jsonb, forwarded_from uuid, is_bulk boolean, template_id uuid, recipients text[], status text, event text, per_recipient boolean, withheld jsonb)
      ), scheduled AS (
        INSERT INTO scheduled_emails (email_id, due_at, team_id)
        SELECT id, scheduled_at, team_id FROM accepted WHERE scheduled_at IS NOT NULL
      ), written AS (
        INSERT INTO emails (id, team_id, domain_id, api_key_id, actor_kind, actor_id, topic_id, created_at, scheduled_at,
                            size, event_seq, last_event, message_id, "from", "to", cc, bcc, reply_to, subject, headers, tags, attachments,
                            tracking, content_id, merge_values, forwarded_from, is_bulk, template_id)
        SELECT id, team_id, domain_id, api_key_id, actor_kind, actor_id, topic_id, created_at, scheduled_at,
               size, event_seq, last_event, message_id, "from", "to", cc, bcc, reply_to, subject, headers, tags, attachments,
               tracking, content_id, merge_values, forwarded_from, is_bulk, template_id
        FROM accepted
      ), addressed AS (
        INSERT INTO recipients (email_id, no, status, address)
        SELECT id, r.no - 1, coalesce(withheld -> (r.no - 1)::text ->> 'status', status), r.address
        FROM accepted, unnest(recipients) WITH ORDINALITY AS r (address, no)
      )
      INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
      SELECT id, r.no, CASE WHEN per_recipient THEN r.no - 1 END, created_at,
             coalesce('email.' || (withheld -> (r.no - 1)::text ->> 'status'), event), withheld -> (r.no - 1)::text -> 'data'
      FROM accepted, generate_series(1, event_seq) AS r (no)`,
    values: [JSON.stringify(emails.map(rowOf))],
  };
}

/**
 * Omits null fields, because each field costs a look-up and a parse. An email that is sent at once has one `email.sent`
 * (or `email.suppressed`, `email.failed`) per recipient. A scheduled email has a single `email.scheduled`.
 */
function rowOf({ email, recipients }: AcceptedEmail): Record<string, unknown> {
  const scheduled = email.scheduledAt !== null;
  return {
    id: email.id,
    team_id: email.teamId,
    domain_id: email.domainId,
    ...actorColumns(email.actor),
    topic_id: email.topicId ?? undefined,
    created_at: email.createdAt,
    scheduled_at: email.scheduledAt ?? undefined,
    size: email.size,
    event_seq: scheduled ? 1 : recipients.length,
    last_event: email.lastEvent,
    message_id: email.messageId,
    from: email.from,
    to: email.to,
    cc: email.cc ?? undefined,
    bcc: email.bcc ?? undefined,
    reply_to: email.replyTo ?? undefined,
    subject: email.subject,
    headers: email.headers ?? undefined,
    tags: email.tags ?? undefined,
    attachments: email.attachments ?? undefined,
    tracking: email.tracking ?? undefined,
    content_id: email.contentId ?? undefined,
    merge_values: email.mergeValues ?? undefined,
    forwarded_from: email.forwardedFrom ?? undefined,
    is_bulk: email.isBulk ?? undefined,
    template_id: email.templateId ?? undefined,
    recipients: recipients.map(({ address }) => address),
    status: scheduled ? 'scheduled' : 'queued',
    event: scheduled ? 'email.scheduled' : 'email.sent',
    per_recipient: !scheduled,
    withheld: withheldByNumber(recipients),
  };
}

/** Status and event data by recipient number; undefined for most emails. */
function withheldByNumber(recipients: AcceptedEmail['recipients']): Record<string, unknown> | undefined {
  const some = recipients.filter(({ withheld }) => withheld !== undefined);
  if (some.length === 0) return undefined;
  return Object.fromEntries(some.map(({ no, withheld }) => [no, withheld]));
}

/** Reads emails, and writes what becomes of their recipients. */
@Injectable()
export class PostgresEmailRepository extends EmailRepository {
  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly recent: RecentEmails,
  ) {
    super();
  }

  async find(id: string, teamId?: string): Promise<Email | undefined> {
    // Without a name: the range, which lets PostgreSQL skip the partitions of other days, is part of the text.
    const [row] = await this.database.query<EmailRow>({
      text: `SELECT ${emailColumns} FROM emails
             WHERE id = $1 AND ${idsWithin('id', rangeOf(id))} ${teamId === undefined ? '' : 'AND team_id = $2'}`,
      values: teamId === undefined ? [id] : [id, teamId],
    });
    return row && emailOf(row);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an email.');
    const rows = await nearestFirst(page, (range) => {
      const { condition, order, values } = keysetCondition(page, 2, range);
      return this.database.query<EmailRow>({
        text: `SELECT ${emailColumns} FROM emails WHERE team_id = $1 ${condition} ${order}`,
        values: [teamId, ...values],
      });
    });
    return pageOf(page, rows.map(emailOf));
  }

  async findAll(ids: readonly string[]): Promise<readonly Email[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<EmailRow>({
      text: `SELECT ${emailColumns} FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [ids, ...boundsOf(ids)],
    });
    return rows.map(emailOf);
  }

  async events(teamId: string, id: string, after: number, limit: number): Promise<readonly EmailEvent[]> {
    return this.database.query<EmailEvent & Record<string, unknown>>({
      name: 'email-events',
      text: `SELECT v.email_id AS "emailId", v.seq, v.type, r.address AS recipient, v.data,
                    v.created_at AS "createdAt"
             FROM email_events v JOIN emails e ON e.id = v.email_id
             LEFT JOIN recipients r ON r.email_id = v.email_id AND r.no = v.recipient_no
             WHERE v.email_id = $1 AND e.id = $1 AND e.team_id = $2 AND v.seq > $3 ORDER BY v.seq LIMIT $4`,
      values: [id, teamId, after, limit],
    });
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>> {
    const emails = new Map<string, OutgoingEmail>();
    const stored: string[] = [];
    for (const id of ids) {
      const recent = this.recent.get(id);
      if (recent === undefined) stored.push(id);
      else emails.set(id, recent);
    }
    for (const email of await this.loadStored(stored)) emails.set(email.email.id, email);
    this.recent.handedOver(ids);
    return emails;
  }

  async teamsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await statementsOf(transaction).query<{ id: string; teamId: string }>({
      text: `SELECT id, team_id AS "teamId" FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [ids, ...boundsOf(ids)],
    });
    return new Map(rows.map(({ id, teamId }) => [id, teamId]));
  }

  async tagsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Tag[]>> {
    const recent = ids.flatMap((id) => this.recent.get(id)?.email ?? []);
    const known = new Set(recent.map(({ id }) => id));
    const stored = ids.filter((id) => !known.has(id));
    const rows =
      stored.length === 0
        ? []
        : await this.database.query<{ id: string; tags: readonly Tag[] | null }>({
            name: 'tags-of-emails',
            text: `SELECT id, tags FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 AND tags IS NOT NULL`,
            values: [stored, ...boundsOf(stored)],
          });
    return new Map([...recent, ...rows].flatMap(({ id, tags }) => (tags === null ? [] : [[id, tags] as const])));
  }

  async topicsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await statementsOf(transaction).query<{ id: string; topicId: string }>({
      name: 'topics-of-emails',
      text: `SELECT id, topic_id AS "topicId" FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 AND topic_id IS NOT NULL`,
      values: [ids, ...boundsOf(ids)],
    });
    return new Map(rows.map(({ id, topicId }) => [id, topicId]));
  }

  lockRecipient(emailId: string, no: number, transaction: Transaction): Promise<LockedRecipient | undefined> {
    return lockRecipient(emailId, no, statementsOf(transaction));
  }

  async recordChanges(changes: readonly RecipientChange[], transaction: Transaction): Promise<void> {
    if (changes.length > 0) await statementsOf(transaction).execute(changesStatement(changes));
  }

  private async loadStored(ids: readonly string[]): Promise<OutgoingEmail[]> {
    if (ids.length === 0) return [];
    const emails = await this.findAll(ids);
    return outgoingEmails(emails, await this.store.get(storedIdsOf(emails)));
  }
}

/**
 * Changes the states of recipients and numbers their events, for a whole batch in one statement.
 *
 * A recipient in a final state does not change, and gets no event. The exception is `delivered`: it may be followed by
 * a bounce, by a complaint, or by a notice that delivery is delayed, which does not change the state. An email that is
 * `opened` or `clicked` stays so when it is delivered to another recipient. The bounds of the ids let PostgreSQL skip
 * the partitions of other days.
 */
function changesStatement(changes: readonly RecipientChange[]): Statement {
  const ids = changes.map((change) => change.emailId).sort();
  return {
    name: 'record-recipient-changes',
    text: `
      WITH given AS (
        SELECT * FROM json_to_recordset($1::json) AS c (
          email_id uuid, no smallint, status text, event text, last_event text, data jsonb, at timestamptz)
      ), locked AS MATERIALIZED (${lockedEmails('given')}
      ), change AS MATERIALIZED (
        SELECT given.* FROM given JOIN locked ON locked.id = given.email_id
      ), moved AS (
        UPDATE recipients r SET status = c.status FROM change c
        WHERE r.email_id = c.email_id AND r.no = c.no AND r.email_id BETWEEN $2 AND $3
          AND (r.status = 'queued' OR (r.status = 'delayed' AND c.status <> 'delayed')
               OR (r.status = 'delivered' AND (c.status IN ('complained', 'bounced')
                 OR (c.status = 'delivered' AND c.event = 'email.delivery_delayed'))))
        RETURNING c.*
      ), numbered AS (
        SELECT *, row_number() OVER (PARTITION BY email_id ORDER BY at, no) AS step FROM moved
      ), latest AS (
        SELECT DISTINCT ON (email_id) email_id, last_event, step AS steps FROM numbered ORDER BY email_id, step DESC
      ), counted AS (
        UPDATE emails e SET event_seq = e.event_seq + l.steps,
          last_event = CASE WHEN e.last_event IN ('opened', 'clicked') AND l.last_event IN ('delivered', 'delivery_delayed')
                            THEN e.last_event ELSE l.last_event END
        FROM latest l
        WHERE e.id = l.email_id AND e.id BETWEEN $2 AND $3
        RETURNING e.id, e.event_seq - l.steps AS base
      )
      INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
      SELECT n.email_id, k.base + n.step, n.no, n.at, n.event, n.data FROM numbered n JOIN counted k ON k.id = n.email_id
      ORDER BY n.email_id, n.step`,
    values: [
      storableJson(
        changes.map((change) => ({
          email_id: change.emailId,
          no: change.recipientNo,
          status: change.status,
          event: change.event,
          last_event: change.event.slice('email.'.length),
          data: change.data,
          at: change.at,
        })),
      ),
      ids[0],
      ids[ids.length - 1],
    ],
  };
}
