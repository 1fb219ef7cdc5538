import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const unsubscribeSchema: OwnedSchema = {
  owner: 'unsubscribe',
  tables: ['sender_profiles'],
};
