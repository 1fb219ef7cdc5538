import { OwnedSchema, sqlDefinitions } from '#platform/database';

/** What this lib has in the database. */
export const domainsSchema: OwnedSchema = {
  owner: 'domains',
  tables: ['domains', 'dkim_keys', 'domain_claims', 'domain_events'],
  definitions: sqlDefinitions('domains', import.meta.url, ['published-domains.view.sql']),
};
