import { OwnedSchema } from '#postgres/database';

/** The tables that this lib owns. */
export const privacySchema: OwnedSchema = { owner: 'privacy', tables: ['privacy_erasures', 'privacy_turns'] };
