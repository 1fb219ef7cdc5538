import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const reportsSchema: OwnedSchema = {
  owner: 'reports',
  tables: ['domain_reports', 'dmarc_counts', 'tls_counts'],
};
