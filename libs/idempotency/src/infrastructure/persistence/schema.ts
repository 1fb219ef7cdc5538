import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const idempotencySchema: OwnedSchema = {
  owner: 'idempotency',
  tables: ['idempotency_keys'],
};
