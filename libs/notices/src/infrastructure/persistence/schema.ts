import { OwnedSchema } from '#platform/database';

/** What this lib has in the database. */
export const noticesSchema: OwnedSchema = {
  owner: 'notices',
  tables: ['notices'],
};
