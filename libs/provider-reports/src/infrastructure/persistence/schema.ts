import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const providerReportsSchema: OwnedSchema = {
  owner: 'provider-reports',
  tables: ['provider_imports', 'google_domain_days', 'snds_addresses', 'snds_blocks'],
};
