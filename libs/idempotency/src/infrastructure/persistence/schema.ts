import { OwnedSchema } from '#platform/database';

/** What this lib has in the database. */
export const idempotencySchema: OwnedSchema = {
  owner: 'idempotency',
  tables: ['idempotency_keys'],
};
