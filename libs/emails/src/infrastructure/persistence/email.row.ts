import { actorOf } from '#identity';
import { Row } from '#postgres/database';
import { Email } from '../../domain/email.js';

/** A row of `emails`, as `emailColumns` select it. */
export type EmailRow = Row<Omit<Email, 'actor'>> & {
  readonly apiKeyId: string | null;
  readonly actorKind: string | null;
  readonly actorId: string | null;
};

export const emailColumns = `id, team_id AS "teamId", domain_id AS "domainId", api_key_id AS "apiKeyId",
  actor_kind AS "actorKind", actor_id AS "actorId", topic_id AS "topicId", tracking, created_at AS "createdAt",
  scheduled_at AS "scheduledAt", size, last_event AS "lastEvent", message_id AS "messageId", "from", "to", cc, bcc,
  reply_to AS "replyTo", subject, headers, tags, attachments, content_id AS "contentId", merge_values AS "mergeValues",
  is_bulk AS "isBulk", template_id AS "templateId", forwarded_from AS "forwardedFrom"`;

/** The row itself becomes the email: a copy of 27 fields costs more than the field that is added. */
export function emailOf(row: EmailRow): Email {
  return Object.assign(row, {
    actor: actorOf({ api_key_id: row.apiKeyId, actor_kind: row.actorKind, actor_id: row.actorId }),
  });
}
