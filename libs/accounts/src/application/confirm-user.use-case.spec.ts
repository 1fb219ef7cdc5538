import { expect, it } from '@jest/globals';
import { InMemoryAccounts } from '../../../../test/support/in-memory-accounts.js';
import { SessionUser } from '../domain/user.js';
import { ConfirmUser, WrongPasswordError } from './confirm-user.use-case.js';

it('the right password confirms the session, a wrong one does not', async () => {
  const accounts = new InMemoryAccounts();
  const id = await accounts.signIn.createUser({ email: 'ada@people.test', password: 'right' });
  const user = { id, sessionId: 'session' } as SessionUser;
  const confirm = new ConfirmUser(accounts.signIn, accounts.sessions, accounts.clock);
  await expect(confirm.execute(user, 'wrong')).rejects.toThrow(WrongPasswordError);
  expect(accounts.sessions.confirmed).toEqual([]);
  await confirm.execute(user, 'right');
  expect(accounts.sessions.confirmed).toEqual(['session']);
});
