import { OwnedSchema, sqlDefinitions } from '#platform/database';

/** What this lib has in the database. */
export const deliverySchema: OwnedSchema = {
  owner: 'delivery',
  tables: ['workers', 'lanes', 'outbound_queue', 'delivery_attempts', 'lane_pauses'],
  partitioned: [{ name: 'delivery_attempts', storage: 'fillfactor = 100', history: 'emails' }],
  definitions: sqlDefinitions('delivery', import.meta.url, ['published-outbound-queue.view.sql']),
};
