import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const suppressionsSchema: OwnedSchema = {
  owner: 'suppressions',
  tables: ['suppressions', 'suppression_hash_keys'],
  definitions: sqlDefinitions('suppressions', import.meta.url, ['published-suppressions.view.sql']),
};
