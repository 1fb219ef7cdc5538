import { OwnedSchema } from '#platform/database';

/** What this lib has in the database. */
export const mxSchema: OwnedSchema = { owner: 'mx', tables: ['sts_policies', 'site_demands'] };
