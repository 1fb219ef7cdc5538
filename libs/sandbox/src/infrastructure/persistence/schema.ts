import { OwnedSchema } from '#platform/database';

/** What this lib has in the database. */
export const sandboxSchema: OwnedSchema = {
  owner: 'sandbox',
  tables: ['sandbox_messages'],
};
