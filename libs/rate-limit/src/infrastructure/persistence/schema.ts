import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const rateLimitSchema: OwnedSchema = {
  owner: 'rate-limit',
  tables: ['rate_limit_windows', 'sending_usage', 'api_key_usage', 'team_limits'],
};
