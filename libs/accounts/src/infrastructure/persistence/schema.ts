import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. The tables of better-auth are in the schema `auth`; only this lib touches them. */
export const accountsSchema: OwnedSchema = {
  owner: 'accounts',
  tables: ['team_members', 'team_invitations', 'operators', 'sign_in_attempts'],
  definitions: sqlDefinitions('accounts', import.meta.url, [
    'published-team-members.view.sql',
    'published-member-addresses.view.sql',
    'published-sessions.view.sql',
  ]),
};
