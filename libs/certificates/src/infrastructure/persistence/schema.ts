import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const certificatesSchema: OwnedSchema = {
  owner: 'certificates',
  tables: ['certificates', 'certificate_orders', 'acme_accounts'],
};
