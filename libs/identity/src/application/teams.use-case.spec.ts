import { beforeEach, expect, it } from '@jest/globals';
import { newId, NotFoundError, ValidationError } from '#kernel';
import { InMemoryIdentity } from '../../../../test/support/fakes/in-memory-identity.js';
import { hashApiKeyToken } from './api-keys.use-case.js';
import { Teams } from './teams.use-case.js';

let identity: InMemoryIdentity;
let teams: Teams;

beforeEach(() => {
  identity = new InMemoryIdentity();
  teams = new Teams(identity.unitOfWork, identity.teams, identity.apiKeys, identity.clock);
});

it('a team is made with one full-access key', async () => {
  const { team, token } = await teams.create('  Shop ');
  expect(await teams.find(team.id)).toMatchObject({ name: 'Shop' });
  const key = await identity.apiKeys.findByTokenHash(hashApiKeyToken(token));
  expect(key).toMatchObject({ teamId: team.id, permission: 'full_access' });
});

it('nothing is made where the rest of the work fails', async () => {
  await expect(teams.create('Shop', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect((await teams.list({ limit: 10 })).items).toEqual([]);
});

it('names are one line of 1 to 64 characters without links', async () => {
  const { team } = await teams.create('Shop');
  await teams.change(team.id, { name: 'Web shop' });
  expect((await teams.list({ limit: 10 })).items).toMatchObject([{ name: 'Web shop' }]);
  for (const name of ['', ' ', 'x'.repeat(65), 'a\u0000b', 'See http://x.test'])
    expect(() => teams.create(name)).toThrow(ValidationError);
  await expect(teams.change(newId(), { name: 'Other' })).rejects.toThrow(NotFoundError);
  await expect(teams.find(newId())).rejects.toThrow(NotFoundError);
});

it('the default sender is an address with or without a name, and an empty one removes it', async () => {
  const { team } = await teams.create('Shop');
  await teams.change(team.id, { defaultFrom: ' Shop <hello@shop.test> ' });
  await teams.change(team.id, { name: 'Web shop' });
  expect(await teams.find(team.id)).toMatchObject({ name: 'Web shop', defaultFrom: 'Shop <hello@shop.test>' });
  await expect(teams.change(team.id, { defaultFrom: 'Shop' })).rejects.toThrow('Invalid `default_from` field');
  await teams.change(team.id, { defaultFrom: '' });
  expect(await teams.find(team.id)).toMatchObject({ defaultFrom: null });
});

const nothing = async (): Promise<void> => undefined;

it('the first start creates a team and a key with full access, the next start creates nothing', async () => {
  const made = await teams.createFirst(undefined, nothing);
  const key = await identity.apiKeys.findByTokenHash(hashApiKeyToken(made?.token ?? ''));
  expect(key).toMatchObject({ teamId: made?.team.id, permission: 'full_access' });
  expect(await teams.createFirst(undefined, nothing)).toBeUndefined();
});

it('a configured token becomes the first key, and another token is ignored afterwards', async () => {
  expect(await teams.isIgnored('re_given')).toBe(false);
  expect(await teams.createFirst('re_given', nothing)).toMatchObject({ token: 're_given' });
  expect(await teams.isIgnored('re_given')).toBe(false);
  expect(await teams.isIgnored('re_other')).toBe(true);
});

it('no team is created where the rest of the first start fails', async () => {
  const failure = new Error('no domain');
  await expect(teams.createFirst('re_given', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await identity.teams.anyExists()).toBe(false);
  expect(await identity.apiKeys.findByTokenHash(hashApiKeyToken('re_given'))).toBeUndefined();
});
