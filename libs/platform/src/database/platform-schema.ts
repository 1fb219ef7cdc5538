import { OwnedSchema } from './owned-schema.js';

/** What the platform itself has in the database. */
export const platformSchema: OwnedSchema = {
  owner: 'platform',
  tables: ['installed_definitions', 'team_events'],
  partitioned: [{ name: 'team_events', storage: 'fillfactor = 100' }],
  observable: ['team_events'],
};
