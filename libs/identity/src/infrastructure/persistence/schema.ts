import { OwnedSchema, sqlDefinitions } from '#platform/database';

/** What this lib has in the database. */
export const identitySchema: OwnedSchema = {
  owner: 'identity',
  tables: ['teams', 'api_keys'],
  definitions: sqlDefinitions('identity', import.meta.url, ['published-teams.view.sql', 'published-api-keys.view.sql']),
};
