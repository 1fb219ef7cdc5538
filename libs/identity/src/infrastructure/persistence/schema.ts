import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables and views that this lib owns. */
export const identitySchema: OwnedSchema = {
  owner: 'identity',
  tables: ['teams', 'api_keys'],
  definitions: sqlDefinitions('identity', import.meta.url, ['published-teams.view.sql', 'published-api-keys.view.sql']),
};
