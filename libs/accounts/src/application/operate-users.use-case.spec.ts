import { expect, it } from '@jest/globals';
import { ValidationError } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { AccountExistsError } from './new-users.js';
import { LastOperatorError, OperateUsers } from './operate-users.use-case.js';

it('users are made, become operators, and the last operator stays one', async () => {
  const accounts = new InMemoryAccounts();
  const users = new OperateUsers(accounts.unitOfWork, accounts.users, accounts.newUsers, accounts.clock);
  const person = { email: 'Ada@People.test', name: 'Ada', password: 'correct horse' };
  const id = await users.create(person);
  await expect(users.create(person)).rejects.toThrow(AccountExistsError);
  await expect(users.create({ ...person, email: 'b@people.test', password: 'short' })).rejects.toThrow(ValidationError);
  await users.setOperator(id, true);
  expect(await users.find(id)).toMatchObject({ email: 'ada@people.test', isOperator: true });
  await expect(users.setOperator(id, false)).rejects.toThrow(LastOperatorError);
  const second = await users.create({ ...person, email: 'b@people.test' });
  await users.setOperator(second, true);
  await users.setOperator(id, false);
  expect(await users.find(id)).toMatchObject({ isOperator: false });
  expect((await users.list({ limit: 10 })).items).toHaveLength(2);
});
