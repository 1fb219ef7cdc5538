import { OwnedSchema, sqlDefinitions, unchanging } from '#postgres/database';

/** The tables and SQL definitions of this lib. */
export const deliverySchema: OwnedSchema = {
  owner: 'delivery',
  tables: ['workers', 'lanes', 'outbound_queue', 'delivery_attempts', 'lane_pauses', 'lane_holds', 'regions'],
  partitioned: [{ name: 'delivery_attempts', storage: unchanging, history: 'emails' }],
  definitions: sqlDefinitions('delivery', import.meta.url, [
    'published-outbound-queue.view.sql',
    'published-delivery-attempts.view.sql',
  ]),
};
