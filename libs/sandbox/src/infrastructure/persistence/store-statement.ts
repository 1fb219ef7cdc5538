import { Statement } from '#postgres/database';
import { ReceivedMessage } from '../../domain/inbox-message.js';

/**
 * Stores a batch in one statement. All bytes are sent as one binary parameter that PostgreSQL splits: an array of bytea
 * would have to be sent as text, twice as long.
 */
export function storeStatement(messages: readonly ReceivedMessage[]): Statement {
  let first = 1;
  const rows = messages.map((message) => {
    const row = {
      id: message.id,
      team_id: message.teamId,
      received_at: message.receivedAt,
      size: message.raw.length,
      from: message.from,
      subject: message.subject,
      recipients: message.to,
      first,
    };
    first += message.raw.length;
    return row;
  });
  return {
    name: 'store-sandbox-messages',
    text: `INSERT INTO sandbox_messages (id, team_id, received_at, size, "from", subject, recipients, raw)
           SELECT id, team_id, received_at, size, "from", subject, recipients, substring($2::bytea FROM first FOR size)
           FROM json_to_recordset($1::json) AS m (
             id uuid, team_id uuid, received_at timestamptz, size int, "from" text, subject text, recipients text[],
             first int)`,
    values: [JSON.stringify(rows), Buffer.concat(messages.map(({ raw }) => raw))],
  };
}
