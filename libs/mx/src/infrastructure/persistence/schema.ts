import { OwnedSchema } from '#postgres/database';

/** The tables of this lib. */
export const mxSchema: OwnedSchema = {
  owner: 'mx',
  tables: [
    'sts_policies',
    'site_demands',
    'sending_addresses',
    'sending_address_machines',
    'sending_pools',
    'sending_pool_addresses',
    'sending_pool_uses',
  ],
};
