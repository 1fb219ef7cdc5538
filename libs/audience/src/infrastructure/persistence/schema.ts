import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const audienceSchema: OwnedSchema = {
  owner: 'audience',
  tables: [
    'contacts',
    'contact_counts',
    'contact_properties',
    'segments',
    'segment_contacts',
    'segment_sizes',
    'topics',
    'contact_topics',
    'contact_activity',
    'audience_removals',
    'contact_changes',
    'contact_unsubscribes',
  ],
  partitioned: [
    { name: 'contact_changes', storage: 'fillfactor = 100' },
    { name: 'contact_unsubscribes', storage: 'fillfactor = 100' },
  ],
  observable: ['contacts', 'segment_contacts', 'contact_topics', 'contact_unsubscribes'],
  definitions: sqlDefinitions('audience', import.meta.url, [
    'count-contacts.function.sql',
    'count-contacts.trigger.sql',
    'count-members.function.sql',
    'count-members.trigger.sql',
    'published-contacts.view.sql',
    'published-segments.view.sql',
    'published-unsubscribes.view.sql',
  ]),
};
