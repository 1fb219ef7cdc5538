import { OwnedSchema, sqlDefinitions } from './owned-schema.js';

/** The database objects of the platform. */
export const platformSchema: OwnedSchema = {
  owner: 'platform',
  tables: ['installed_definitions', 'event_consumers', 'team_events'],
  partitioned: [{ name: 'team_events', storage: 'fillfactor = 100' }],
  definitions: sqlDefinitions('platform', import.meta.url, ['published-team-events.view.sql']),
  observable: ['team_events'],
};
