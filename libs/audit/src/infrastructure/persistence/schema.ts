import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const auditSchema: OwnedSchema = { owner: 'audit', tables: ['audit_entries'] };
