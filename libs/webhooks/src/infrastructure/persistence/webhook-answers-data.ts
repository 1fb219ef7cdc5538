import { UnindexedRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/** What endpoints answered to messages: some repeat what they were sent. The messages themselves are read from the events. */
@Injectable()
export class WebhookAnswersData extends UnindexedRows {
  readonly name = 'webhooks';

  protected readonly portion = `
    SELECT m.id, a.answers FROM (
      SELECT n.id FROM webhooks w CROSS JOIN LATERAL (
        SELECT id FROM webhook_messages WHERE webhook_id = w.id AND id > $2 ORDER BY id LIMIT $3
      ) n
      WHERE w.team_id = $1 ORDER BY n.id LIMIT $3
    ) m
    CROSS JOIN LATERAL (SELECT json_agg(response) AS answers FROM webhook_attempts WHERE message_id = m.id) a
    ORDER BY m.id`;

  protected readonly names = `answers::text ~ $4`;

  protected readonly record = `json_build_object('message_id', id, 'answers', answers)`;

  protected readonly clear = `
    UPDATE webhook_attempts a SET response = regexp_replace(response, $3, '\\1erased', 'g')
    FROM webhooks w JOIN webhook_messages m ON m.webhook_id = w.id AND m.id = ANY ($2::uuid[])
    WHERE w.team_id = $1 AND a.message_id = m.id`;
}
