import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { InvalidOwnerLinkError, MakeOwner } from './make-owner.use-case.js';

const person = { email: 'Ada@People.test', name: 'Ada', password: 'correct horse' };
let accounts: InMemoryAccounts;
let makeOwner: MakeOwner;

beforeEach(() => {
  accounts = new InMemoryAccounts();
  const { unitOfWork, ownerLinks, users, newUsers, memberships, identity, clock } = accounts;
  makeOwner = new MakeOwner(unitOfWork, ownerLinks, users, newUsers, memberships, identity.teams, clock);
});

it('the link makes the operator, who owns the first team, once', async () => {
  const teamId = await accounts.team();
  const token = (await makeOwner.openToken()) ?? '';
  const id = await makeOwner.make(token, person);
  expect(await accounts.users.find(id)).toMatchObject({ email: 'ada@people.test', isOperator: true });
  expect(await accounts.memberships.roleOf(id, teamId)).toBe('owner');
  expect(await makeOwner.openToken()).toBeUndefined();
  await expect(makeOwner.make(token, { ...person, email: 'eve@people.test' })).rejects.toThrow(InvalidOwnerLinkError);
});

it('another link makes nobody', async () => {
  await expect(makeOwner.make('guessed', person)).rejects.toThrow(InvalidOwnerLinkError);
  expect(await accounts.users.findByEmail('ada@people.test')).toBeUndefined();
});

it('whoever is slower leaves no account behind', async () => {
  let asked = 0;
  accounts.users.anyOperator = async () => ++asked > 1;
  await expect(makeOwner.make('the link', person)).rejects.toThrow(InvalidOwnerLinkError);
  expect(await accounts.users.findByEmail('ada@people.test')).toBeUndefined();
});

it('an account that exists becomes the operator, with the new password', async () => {
  const { id } = accounts.users.add('ada@people.test');
  expect(await makeOwner.make('the link', person)).toBe(id);
  expect(accounts.signIn.passwords.get(id)).toBe(person.password);
});
