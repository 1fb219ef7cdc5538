import { beforeEach, expect, it } from '@jest/globals';
import { MissingPermissionError, Principal } from '#identity';
import { newId, NotFoundError } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryAddresses, InMemoryPools } from '../../../../test/support/fakes/in-memory-pools.js';
import { KeepPools, PoolInUseError, PoolNameTakenError, UnknownMemberError } from './keep-pools.use-case.js';

const [teamId, domainId, addressId] = [newId(), newId(), newId()];
const operator = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner', isOperator: true });
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner', isOperator: false });
const now = new Date('2026-11-30T00:00:00Z');
let pools: KeepPools;

beforeEach(() => {
  const addresses = new InMemoryAddresses();
  addresses.rows.set({
    id: addressId,
    address: '192.0.2.1',
    heloName: 'out1.mail.test',
    state: 'active',
    machines: [],
    createdAt: now,
    updatedAt: now,
  });
  const domains = new Map([['acme.test', { id: domainId, teamId }]]);
  pools = new KeepPools(new InMemoryPools(addresses, new Set([teamId]), domains), new FakeClock(now));
});

it('a pool has addresses with weights, and a name of its own', async () => {
  const { id, members } = await pools.add(operator, { name: 'acme', members: [{ addressId, weight: 3 }] });
  expect(members).toEqual([{ addressId, weight: 3, address: '192.0.2.1', state: 'active' }]);
  await expect(pools.add(operator, { name: 'acme', members: [] })).rejects.toThrow(PoolNameTakenError);
  const unknown = [{ addressId: newId(), weight: 1 }];
  await expect(pools.change(operator, id, { members: unknown })).rejects.toThrow(UnknownMemberError);
  expect(await pools.change(operator, id, { name: 'shop', members: [] })).toMatchObject({ name: 'shop', members: [] });
  expect((await pools.list(operator, { limit: 10 })).items).toHaveLength(1);
});

it('a domain leaves its former pool, and a pool in use cannot be removed', async () => {
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => pools.add(operator, { name, members: [] })),
  );
  const [from, to] = [first?.id ?? '', second?.id ?? ''];
  await pools.assign(operator, from, { domain: 'acme.test' });
  const use = await pools.assign(operator, to, { domain: 'acme.test' });
  expect((await pools.uses(operator, from, { limit: 10 })).items).toEqual([]);
  await pools.remove(operator, from);
  await expect(pools.remove(operator, to)).rejects.toThrow(PoolInUseError);
  await pools.release(operator, to, use.id);
  await expect(pools.release(operator, to, use.id)).rejects.toThrow(NotFoundError);
  await pools.remove(operator, to);
  await expect(pools.remove(operator, to)).rejects.toThrow(NotFoundError);
});

it('broadcasts and each tag have a pool of their own beside that of their team', async () => {
  const { id } = await pools.add(operator, { name: 'acme', members: [] });
  const tag = { name: 'kind', value: 'news' };
  await pools.assign(operator, id, { teamId });
  const again = [
    { teamId, forBroadcasts: true },
    { teamId, tag: { name: 'kind' } },
    { teamId, tag },
    { teamId, tag },
  ];
  for (const user of again) await pools.assign(operator, id, user);
  const { items } = await pools.uses(operator, id, { limit: 10 });
  expect(items.map((use) => [use.forBroadcasts, use.tag])).toEqual([
    [false, undefined],
    [true, undefined],
    [false, { name: 'kind' }],
    [false, tag],
  ]);
});

it('refuses teams and domains that do not exist', async () => {
  const { id } = await pools.add(operator, { name: 'acme', members: [] });
  await expect(pools.assign(operator, id, { domain: 'else.test' })).rejects.toThrow('Domain not found');
  await expect(pools.assign(operator, id, { teamId: newId() })).rejects.toThrow('Team not found');
  await expect(pools.assign(operator, newId(), { teamId })).rejects.toThrow('Pool not found');
});

it('only the operator sees and changes pools', async () => {
  const { id } = await pools.add(operator, { name: 'acme', members: [] });
  for (const act of [
    () => pools.add(owner, { name: 'own', members: [] }),
    () => pools.find(owner, id),
    () => pools.list(owner, { limit: 10 }),
    () => pools.change(owner, id, {}),
    () => pools.remove(owner, id),
    () => pools.uses(owner, id, { limit: 10 }),
    () => pools.assign(owner, id, { teamId }),
    () => pools.release(owner, id, newId()),
  ]) {
    await expect(act()).rejects.toThrow(MissingPermissionError);
  }
});
