import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import type { AddressState } from '../../libs/mx/src/domain/sending-pool.js';
import { PostgresAddressRepository } from '../../libs/mx/src/infrastructure/persistence/postgres-address-repository.js';
import { PostgresPoolRepository } from '../../libs/mx/src/infrastructure/persistence/postgres-pool-repository.js';
import { SendingPlans } from '../../libs/mx/src/infrastructure/persistence/sending-plans.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const now = new Date('2026-11-30T00:00:00Z');
const [teamId, otherTeamId, domainId] = [newId(), newId(), newId()];
const page = { limit: 10 };
const allMail = { forBroadcasts: false, tagName: null, tagValue: null };
let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let addresses: PostgresAddressRepository;
let pools: PostgresPoolRepository;
let plans: SendingPlans;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 8 });
  database = new Database(pool);
  const silent = { send: async () => undefined } as never;
  addresses = new PostgresAddressRepository(database, silent);
  pools = new PostgresPoolRepository(database, silent);
  plans = new SendingPlans(database);
  await database.execute({
    text: `INSERT INTO teams VALUES ($1, 'Acme', now()), ($2, 'Other', now())`,
    values: [teamId, otherTeamId],
  });
  await database.execute({
    text: `INSERT INTO domains (id, team_id, name, status, region, custom_return_path, created_at)
           VALUES ($1, $2, 'acme.test', 'verified', 'eu', 'send', now())`,
    values: [domainId, teamId],
  });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function add(address: string, state: AddressState = 'active'): Promise<string> {
  const id = newId();
  await addresses.add({ id, address, heloName: 'out.test', state, createdAt: now, updatedAt: now }, 1_000);
  return id;
}

async function addPool(name: string, ...ids: string[]): Promise<string> {
  const id = newId();
  const members = ids.map((addressId) => ({ addressId, weight: 2 }));
  expect(await pools.add({ id, name, members }, 200, now)).toBe('added');
  return id;
}

it('an address is there once however it is written, and at most as many as may be', async () => {
  const id = await add('2001:db8:0::1');
  expect(await addresses.find(id)).toMatchObject({ address: '2001:db8::1', region: undefined, machines: [] });
  const again = { heloName: 'out.test', state: 'active', createdAt: now, updatedAt: now } as const;
  expect(await addresses.add({ ...again, id: newId(), address: '2001:DB8::1' }, 10)).toBe('taken');
  expect(await addresses.add({ ...again, id: newId(), address: '192.0.2.9' }, 1)).toBe('full');
  expect(await addresses.change(id, { region: 'eu', state: 'draining' }, now)).toBe(true);
  expect(await addresses.change(id, { region: null, heloName: 'new.test' }, now)).toBe(true);
  expect(await addresses.find(id)).toMatchObject({ region: undefined, state: 'draining', heloName: 'new.test' });
  expect(await addresses.remove(id)).toBe('removed');
  expect(await addresses.remove(id)).toBe('unknown');
});

it('pages of addresses are newest first', async () => {
  const ids = [await add('192.0.2.101'), await add('192.0.2.102'), await add('192.0.2.103')].reverse();
  const first = await addresses.list({ limit: 2 });
  expect([first.items.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 2), true]);
  const next = await addresses.list({ limit: 2, after: ids[1] });
  expect([next.items.map(({ id }) => id), next.hasMore]).toEqual([ids.slice(2), false]);
  for (const id of ids) await addresses.remove(id);
});

it('a pool keeps its addresses, and a domain or a team uses one pool at a time', async () => {
  const [one, two] = [await add('192.0.2.1'), await add('192.0.2.2', 'off')];
  const [first, second] = [await addPool('first', one, two), await addPool('second', one)];
  expect(await pools.add({ id: newId(), name: 'first', members: [] }, 200, now)).toBe('taken');
  expect(await pools.change(second, { members: [{ addressId: newId(), weight: 1 }] }, now)).toBe('unknown_address');
  expect(await addresses.remove(one)).toBe('used');
  expect(await pools.assign(first, newId(), { domain: 'else.test' }, 10, now)).toBe('unknown');

  await pools.assign(first, newId(), { domain: 'acme.test' }, 10, now);
  const team = newId();
  expect(await pools.assign(first, team, { teamId }, 2, now)).toMatchObject({ team: 'Acme', domainId: undefined });
  expect(await pools.assign(first, newId(), { teamId: otherTeamId }, 2, now)).toBe('full');
  const use = await pools.assign(second, newId(), { domain: 'acme.test' }, 2, now);
  expect(use).toMatchObject({ teamId, domainId, domain: 'acme.test' });
  expect((await pools.uses(first, page)).items.map(({ id }) => id)).toEqual([team]);
  expect(await pools.remove(first)).toBe('used');

  const plan = await plans.read();
  expect(plan.addresses.map(({ id }) => id)).toEqual([one]);
  expect(plan.members).toContainEqual({ poolId: second, addressId: one, weight: 2 });
  expect(plan.uses).toEqual([
    { poolId: first, pool: 'first', teamId, domainId: null, ...allMail },
    { poolId: second, pool: 'second', teamId, domainId, ...allMail },
  ]);
  const sendsFrom = async (domain: string) => (await addresses.ofSender(teamId, domain)).map(({ id }) => id);
  expect([await sendsFrom(domainId), await sendsFrom(newId())]).toEqual([[one], [one]]);
  await pools.change(second, { members: [{ addressId: two, weight: 1 }] }, now);
  expect(await sendsFrom(domainId)).toEqual([]);
  expect(await addresses.ofSender(otherTeamId, domainId)).toEqual([]);
});

it('broadcasts and tags leave their former pool alone, and the sender is known to send from their pools', async () => {
  const [one, two] = [await add('192.0.2.11'), await add('192.0.2.12')];
  const [from, to] = [await addPool('from', one), await addPool('to', two)];
  const [kind, news] = [{ name: 'kind' }, { name: 'kind', value: 'news' }];
  for (const user of [
    { teamId, forBroadcasts: true },
    { domain: 'acme.test', forBroadcasts: true },
    { teamId, tag: kind },
    { teamId, tag: news },
  ]) {
    await pools.assign(from, newId(), user, 100, now);
  }
  const moved = await pools.assign(to, newId(), { teamId, tag: news }, 100, now);
  expect(moved).toMatchObject({ teamId, domainId: undefined, forBroadcasts: false, tag: news });
  const kept = await pools.uses(from, page);
  expect(kept.items.map((use) => [use.domain, use.forBroadcasts, use.tag?.name, use.tag?.value])).toEqual([
    [undefined, false, 'kind', undefined],
    ['acme.test', true, undefined, undefined],
    [undefined, true, undefined, undefined],
  ]);
  const planned = (await plans.read()).uses.filter(({ poolId }) => poolId === from || poolId === to);
  expect(planned.map((use) => [use.pool, use.domainId, use.forBroadcasts, use.tagName, use.tagValue])).toEqual([
    ['from', null, true, null, null],
    ['from', domainId, true, null, null],
    ['from', null, false, 'kind', null],
    ['to', null, false, 'kind', 'news'],
  ]);
  expect((await addresses.ofSender(teamId, domainId)).map(({ id }) => id)).toEqual([one, two]);
  for (const { id } of kept.items) await pools.release(from, id);
  await pools.release(to, (moved as { id: string }).id);
});

it('a domain that another team has claimed does not take its pool along', async () => {
  await database.execute({ text: 'UPDATE domains SET team_id = $2 WHERE id = $1', values: [domainId, otherTeamId] });
  expect((await plans.read()).uses.map((use) => use.domainId)).toEqual([null]);
});

it('notes which machines have an address, and forgets addresses that are gone', async () => {
  const [known] = (await addresses.list(page)).items;
  const id = known?.id ?? '';
  await plans.note('worker-2', new Map([[id, true]]));
  await plans.note(
    'worker-1',
    new Map([
      [id, false],
      [newId(), true],
    ]),
  );
  const canSend = async (): Promise<unknown[]> =>
    ((await addresses.find(id))?.machines ?? []).map(({ machine, canSend: can }) => [machine, can]);
  expect(await canSend()).toEqual([
    ['worker-1', false],
    ['worker-2', true],
  ]);
  await database.execute({
    text: `UPDATE sending_address_machines SET seen_at = now() - interval '2 hours' WHERE machine = 'worker-2'`,
  });
  await plans.note('worker-1', new Map([[id, true]]));
  expect(await database.query({ text: 'SELECT machine FROM sending_address_machines' })).toEqual([
    { machine: 'worker-1' },
  ]);
});
