import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** Free space on the page lets PostgreSQL update a row without touching its indexes (HOT). */
const forUpdatedRows = 'fillfactor = 50';

/** The tables, functions and triggers of this lib. */
export const webhooksSchema: OwnedSchema = {
  owner: 'webhooks',
  tables: ['webhooks', 'webhook_lanes', 'webhook_messages', 'webhook_attempts', 'webhook_queue', 'webhook_hours'],
  partitioned: [
    { name: 'webhook_messages', storage: forUpdatedRows },
    { name: 'webhook_attempts', storage: 'fillfactor = 100' },
  ],
  definitions: sqlDefinitions('webhooks', import.meta.url, [
    'webhook-message-id.function.sql',
    'tell-webhooks-of-email-events.function.sql',
    'tell-webhooks-of-team-events.function.sql',
    'tell-webhooks.trigger.sql',
  ]),
};
