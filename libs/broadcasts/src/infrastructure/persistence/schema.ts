import { OwnedSchema } from '#platform/database';

/** The tables that this lib owns. */
export const broadcastsSchema: OwnedSchema = {
  owner: 'broadcasts',
  tables: [
    'broadcasts',
    'broadcast_runs',
    'broadcast_waves',
    'broadcast_audience',
    'broadcast_recipients',
    'broadcast_results',
    'broadcast_links',
    'broadcast_recipient_links',
    'broadcast_progress',
    'broadcast_counters',
  ],
};
