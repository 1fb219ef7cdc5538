import { expect, it } from '@jest/globals';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { ReadMe } from './read-me.query.js';

it('a user has the permissions of the role in each team', async () => {
  const accounts = new InMemoryAccounts();
  const teamId = await accounts.team();
  const { id } = await accounts.member(teamId, 'viewer');
  const [team] = await new ReadMe(accounts.memberships).teamsOf(id);
  expect(team).toMatchObject({ id: teamId, role: 'viewer' });
  expect(team?.permissions).toContain('emails:read');
  expect(team?.permissions).not.toContain('emails:send');
});
