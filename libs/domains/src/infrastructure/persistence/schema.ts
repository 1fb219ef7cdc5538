import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables and views that this lib owns. */
export const domainsSchema: OwnedSchema = {
  owner: 'domains',
  tables: ['domains', 'dkim_keys', 'domain_claims'],
  definitions: sqlDefinitions('domains', import.meta.url, [
    'published-domains.view.sql',
    'published-tracking-hosts.view.sql',
  ]),
};
