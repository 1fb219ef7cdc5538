import { OwnedSchema, sqlDefinitions } from './owned-schema.js';

/** Tables that no feature owns. */
export const sharedSchema: OwnedSchema = {
  owner: 'postgres',
  tables: ['installed_definitions', 'event_consumers', 'team_events'],
  partitioned: [{ name: 'team_events', storage: 'fillfactor = 100' }],
  definitions: sqlDefinitions('postgres', import.meta.url, ['published-team-events.view.sql']),
  observable: ['team_events'],
};
