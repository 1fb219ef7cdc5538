import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables, functions and triggers of this lib. */
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
    'broadcast_subjects',
    'broadcast_counters',
  ],
  definitions: sqlDefinitions('broadcasts', import.meta.url, [
    'count-broadcast-unsubscribes.function.sql',
    'count-broadcast-unsubscribes.trigger.sql',
    'published-broadcasts.view.sql',
    'published-broadcast-contents.view.sql',
    'published-broadcast-documents.view.sql',
    'published-broadcast-emails.view.sql',
    'published-broadcast-counts.view.sql',
    'published-broadcast-results.view.sql',
  ]),
  observable: ['broadcasts', 'broadcast_progress'],
};
