import { newId, TeamEvents } from '#kernel';
import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { TestMessages } from '../../application/ports/test-messages.port.js';

/** Nobody can subscribe to this type, so the event makes no messages by itself. */
const testType = 'webhook.test';

@Injectable()
export class PostgresTestMessages extends TestMessages {
  constructor(
    private readonly database: Database,
    private readonly events: TeamEvents,
  ) {
    super();
  }

  async add(teamId: string, webhookId: string, now: Date): Promise<string> {
    const eventId = newId();
    const data = { webhook_id: webhookId, message: 'This is a test.' };
    return this.database.run(async (transaction) => {
      await this.events.append([{ id: eventId, teamId, type: testType, data, createdAt: now }], transaction);
      const [row] = await transaction.query<{ id: string }>({
        text: `WITH told AS (SELECT webhook_message_id(clock_timestamp(), 1) AS id), logged AS (
                 INSERT INTO webhook_messages (id, webhook_id, seq, created_at, type, status, source_id)
                 SELECT id, $1, NULL, $2, $3, 'pending', $4 FROM told
               )
               INSERT INTO webhook_queue (message_id, webhook_id, seq, created_at, due_at, type, source_id)
               SELECT id, $1, NULL, $2, $2, $3, $4 FROM told RETURNING message_id AS id`,
        values: [webhookId, now, testType, eventId],
      });
      return row?.id ?? '';
    });
  }
}
