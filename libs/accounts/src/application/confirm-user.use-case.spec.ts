import { expect, it } from '@jest/globals';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { SessionUser } from '../domain/user.js';
import { ConfirmUser, WrongPasswordError } from './confirm-user.use-case.js';

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
