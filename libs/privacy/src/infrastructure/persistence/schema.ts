import { OwnedSchema } from '#platform/database';

/** The table that this lib owns. */
export const privacySchema: OwnedSchema = { owner: 'privacy', tables: ['privacy_erasures'] };
