import type { Row } from '#postgres/database';
import { InboxEmail, InboxThread } from '../../domain/thread.js';

/** Columns of a thread `t` with its newest email `e`. */
export const threadColumns = `t.id, t.inbox_id AS "inboxId", t.subject, e."from", coalesce(e."to", '{}') AS "to",
  coalesce(e.cc, '{}') AS cc, coalesce(e.bcc, '{}') AS bcc, t.email_count AS "emailCount", t.has_attachment AS "hasAttachment",
  NOT t.is_unread AS "isRead", t.last_email_at AS "lastEmailAt", t.folder,
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
