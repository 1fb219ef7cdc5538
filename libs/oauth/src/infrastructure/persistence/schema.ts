import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const oauthSchema: OwnedSchema = {
  owner: 'oauth',
  tables: ['oauth_clients', 'oauth_codes', 'oauth_grants'],
  definitions: sqlDefinitions('oauth', import.meta.url, ['published-oauth-grants.view.sql']),
};
