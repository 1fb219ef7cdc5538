import { beforeEach, expect, it } from '@jest/globals';
import { newId, NotFoundError, ValidationError } from '#kernel';
import { InMemoryIdentity } from '../../../../test/support/in-memory-identity.js';
import { ManageTeams } from './manage-teams.use-case.js';

let identity: InMemoryIdentity;
let teams: ManageTeams;

beforeEach(() => {
  identity = new InMemoryIdentity();
  teams = new ManageTeams(identity.unitOfWork, identity.teams, identity.apiKeys, identity.tokens, identity.clock);
});

it('a team is made with one full-access key', async () => {
  const { team, token } = await teams.create('  Shop ');
  expect(await teams.find(team.id)).toMatchObject({ name: 'Shop' });
  const key = await identity.apiKeys.findByTokenHash(identity.tokens.hash(token));
  expect(key).toMatchObject({ teamId: team.id, permission: 'full_access' });
});

it('nothing is made where the rest of the work fails', async () => {
  await expect(teams.create('Shop', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect((await teams.list({ limit: 10 })).items).toEqual([]);
});

it('names are of 1 to 80 characters', async () => {
  const { team } = await teams.create('Shop');
  await teams.rename(team.id, 'Web shop');
  expect((await teams.list({ limit: 10 })).items).toMatchObject([{ name: 'Web shop' }]);
  for (const name of ['', ' ', 'x'.repeat(81), 'a\u0000b']) expect(() => teams.create(name)).toThrow(ValidationError);
  await expect(teams.rename(newId(), 'Other')).rejects.toThrow(NotFoundError);
  await expect(teams.find(newId())).rejects.toThrow(NotFoundError);
});
