import { OwnedSchema } from '#platform/database';

/** What this lib has in the database. */
export const rateLimitSchema: OwnedSchema = {
  owner: 'rate-limit',
  tables: ['rate_limit_windows', 'sending_usage'],
};
