import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryIdentity } from '../../../../test/support/in-memory-identity.js';
import { ManageApiKeys } from './manage-api-keys.use-case.js';

let identity: InMemoryIdentity;
let manage: ManageApiKeys;

beforeEach(() => {
  identity = new InMemoryIdentity();
  manage = new ManageApiKeys(identity.apiKeys, identity.use);
});

const list = async () => (await manage.list(identity.teamId, { limit: 10 })).items;

it('the list is newest first and includes uses that are not stored yet', async () => {
  const [first, second] = [await identity.add('re_a'), await identity.add('re_b')];
  identity.use.note(first.id, identity.clock.now());
  expect((await list()).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
    [second.id, null],
    [first.id, identity.clock.now()],
  ]);
});

it('a team can rename its own keys only', async () => {
  const { id } = await identity.add('re_a');
  await manage.rename(identity.teamId, id, 'New');
  expect((await list())[0]?.name).toBe('New');
  await expect(manage.rename(newId(), id, 'Theirs')).rejects.toThrow('API key not found');
  await expect(manage.rename(identity.teamId, id, 'x'.repeat(51))).rejects.toThrow('at most 50');
});

it('the last key with full access cannot be deleted, any other key can', async () => {
  const [full, sending] = [await identity.add('re_a'), await identity.add('re_b', { permission: 'sending_access' })];
  await expect(manage.delete(identity.teamId, full.id)).rejects.toThrow('last API key');
  await manage.delete(identity.teamId, sending.id);
  await expect(manage.delete(identity.teamId, sending.id)).rejects.toThrow('API key not found');
  expect((await list()).map(({ id }) => id)).toEqual([full.id]);
});
