import { OwnedSchema } from '#postgres/database';

/** The tables of this lib. */
export const mxSchema: OwnedSchema = { owner: 'mx', tables: ['sts_policies', 'site_demands'] };
