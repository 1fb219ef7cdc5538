import { expect, it } from '@jest/globals';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { SessionUser } from '../domain/user.js';
import { ConfirmUser, ReadMe, WrongPasswordError } from './own-account.use-case.js';

it('the right password confirms the session, a wrong one does not', async () => {
  const accounts = new InMemoryAccounts();
  const id = await accounts.signIn.createUser({ email: 'ada@people.test', password: 'right' });
  const user = { id, sessionId: 'session' } as SessionUser;
  const confirm = new ConfirmUser(accounts.signIn, accounts.sessions, accounts.clock);
  await expect(confirm.confirm(user, 'wrong')).rejects.toThrow(WrongPasswordError);
  expect(accounts.sessions.confirmed).toEqual([]);
  await confirm.confirm(user, 'right');
  expect(accounts.sessions.confirmed).toEqual(['session']);
});

it('a user has the permissions of the role in each team', async () => {
  const accounts = new InMemoryAccounts();
  const teamId = await accounts.team();
  const { id } = await accounts.member(teamId, 'viewer');
  const [team] = await new ReadMe(accounts.memberships).teamsOf(id);
  expect(team).toMatchObject({ id: teamId, role: 'viewer' });
  expect(team?.permissions).toContain('emails:read');
  expect(team?.permissions).not.toContain('emails:send');
});
