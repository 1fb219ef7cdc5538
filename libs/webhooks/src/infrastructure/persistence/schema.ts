import { OwnedSchema, sqlDefinitions } from '#platform/database';

/** Room on the page lets a row be updated where it is, without touching its indexes (HOT). */
const updatedLater = 'fillfactor = 50';

/** What this lib has in the database. */
export const webhooksSchema: OwnedSchema = {
  owner: 'webhooks',
  tables: ['webhooks', 'webhook_lanes', 'webhook_messages', 'webhook_attempts', 'webhook_queue'],
  partitioned: [
    { name: 'webhook_messages', storage: updatedLater },
    { name: 'webhook_attempts', storage: 'fillfactor = 100' },
  ],
  definitions: sqlDefinitions('webhooks', import.meta.url, [
    'webhook-message-id.function.sql',
    'tell-webhooks-of-email-events.function.sql',
    'tell-webhooks-of-team-events.function.sql',
    'tell-webhooks.trigger.sql',
  ]),
};
