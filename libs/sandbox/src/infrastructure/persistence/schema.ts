import { OwnedSchema } from '#postgres/database';

/** The tables of this lib. */
export const sandboxSchema: OwnedSchema = {
  owner: 'sandbox',
  tables: ['sandbox_messages'],
};
