import { OwnedSchema } from '#platform/database';

/** What this lib has in the database. */
export const suppressionsSchema: OwnedSchema = {
  owner: 'suppressions',
  tables: ['suppressions'],
};
