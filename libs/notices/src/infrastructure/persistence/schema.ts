import { OwnedSchema } from '#postgres/database';

/** The tables of this lib. */
export const noticesSchema: OwnedSchema = {
  owner: 'notices',
  tables: ['notices'],
};
