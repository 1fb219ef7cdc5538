import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const reputationSchema: OwnedSchema = {
  owner: 'reputation',
  tables: [
    'reputation_guards',
    'reputation_changes',
    'reputation_pending',
    'paced_usage',
    'warm_ups',
    'warm_up_providers',
  ],
  definitions: sqlDefinitions('reputation', import.meta.url, ['published-reputation-guards.view.sql']),
};
