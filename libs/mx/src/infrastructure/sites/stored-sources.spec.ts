import { beforeEach, expect, it } from '@jest/globals';
import type { SendingPlan, SendingPlans } from '../persistence/sending-plans.js';
import { StoredSources } from './stored-sources.js';

const address = (id: string, fields: object = {}): SendingPlan['addresses'][number] => ({
  id,
  address: `192.0.2.${id}`,
  heloName: `out${id}.test`,
  region: null,
  isActive: true,
  ...fields,
});
const use = (pool: string, teamId: string, domainId: string | null = null): SendingPlan['uses'][number] => ({
  poolId: pool,
  pool,
  teamId,
  domainId,
  forBroadcasts: false,
  tagName: null,
  tagValue: null,
});
const member = (poolId: string, addressId: string): SendingPlan['members'][number] => ({
  poolId,
  addressId,
  weight: 1,
});

let plan: SendingPlan;
let noted: ReadonlyMap<string, boolean>;
const plans = {
  read: async () => structuredClone(plan),
  note: async (_: string, canSend: ReadonlyMap<string, boolean>) => void (noted = canSend),
} as never as SendingPlans;
const sources = (region?: string): StoredSources =>
  new StoredSources(plans, { name: 'here', region }, async (text) => text !== '192.0.2.9');
const hostsOf = (stored: StoredSources, teamId: string, domainId?: string): (string | undefined)[] | undefined =>
  stored.poolOf({ host: 'send.test', teamId, domainId })?.hosts.map(({ ipv4 }) => ipv4);

beforeEach(() => {
  plan = {
    addresses: [address('1'), address('2', { region: 'eu' }), address('3', { isActive: false }), address('9')],
    members: [member('own', '1'), member('own', '2'), member('own', '3'), member('own', '9'), member('all', '1')],
    uses: [use('own', 'team', 'domain'), use('all', 'team')],
  };
});

it('a domain has its pool, the other mail of its team that of the team, and other teams none', async () => {
  const stored = sources('eu');
  await stored.refresh();
  expect(hostsOf(stored, 'team', 'domain')).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(hostsOf(stored, 'team', 'else')).toEqual(['192.0.2.1']);
  expect(hostsOf(stored, 'team')).toEqual(['192.0.2.1']);
  expect(hostsOf(stored, 'other', 'domain')).toBeUndefined();
});

it('broadcasts and tags have pools of their own before the domain and the team, and the most specific one wins', async () => {
  const tags = (pool: string, tagName: string, tagValue: string | null = null): SendingPlan['uses'][number] => ({
    ...use(pool, 'team'),
    tagName,
    tagValue,
  });
  const broadcasts = { forBroadcasts: true };
  plan = {
    ...plan,
    uses: [
      ...[...plan.uses, { ...use('all-bulk', 'team'), ...broadcasts }],
      ...[
        { ...use('own-bulk', 'team', 'domain'), ...broadcasts },
        { ...use('else', 'others', 'theirs'), ...broadcasts },
      ],
      ...[tags('kind', 'kind'), tags('news', 'kind', 'news'), tags('shop', 'shop')],
    ],
  };
  const stored = sources();
  await stored.refresh();
  const poolOf = (fields: object): string | undefined =>
    stored.poolOf({ host: 'send.test', teamId: 'team', domainId: 'domain', ...fields })?.name;
  const tagged = (...pairs: [string, string][]): string | undefined =>
    poolOf({ tags: pairs.map(([name, value]) => ({ name, value })) });
  expect([poolOf({}), poolOf({ domainId: 'else' })]).toEqual(['own', 'all']);
  expect([poolOf({ isBulk: true }), poolOf({ isBulk: true, domainId: 'else' })]).toEqual(['own-bulk', 'all-bulk']);
  expect(poolOf({ teamId: 'others', isBulk: true })).toBeUndefined();
  expect([tagged(['kind', 'other']), tagged(['kind', 'news']), tagged(['else', 'news'])]).toEqual([
    'kind',
    'news',
    'own',
  ]);
  expect([tagged(['shop', '1'], ['kind', 'news']), tagged(['shop', '1'], ['kind', '2'])]).toEqual(['news', 'shop']);
  expect(poolOf({ teamId: 'others', tags: [{ name: 'kind', value: 'news' }] })).toBeUndefined();
});

it('asks for tags only where the team has a pool for one', async () => {
  const stored = sources();
  await stored.refresh();
  const asks = (teamId: string, isBulk = false): boolean => stored.asksForTags({ host: 'send.test', teamId, isBulk });
  expect(asks('team')).toBe(false);
  plan = { ...plan, uses: [...plan.uses, { ...use('all', 'team'), tagName: 'kind' }] };
  await stored.refresh();
  expect([asks('team'), asks('other'), asks('team', true)]).toEqual([true, false, false]);
});

it('leaves out addresses of other regions and those that the machine does not have, and says which it has', async () => {
  const [here, everywhere] = [sources('us'), sources()];
  await here.refresh();
  expect(hostsOf(here, 'team', 'domain')).toEqual(['192.0.2.1']);
  expect([...noted]).toEqual([
    ['1', true],
    ['3', true],
    ['9', false],
  ]);
  await everywhere.refresh();
  expect(hostsOf(everywhere, 'team', 'domain')).toEqual(['192.0.2.1', '192.0.2.2']);
});

it('an address that is drained is retired, and a pool without any other keeps its mail waiting', async () => {
  const stored = sources();
  const retired: string[] = [];
  stored.whenRetired((keys) => retired.push(...keys));
  await stored.refresh();
  const before = stored.poolOf({ host: '', teamId: 'team' });
  await stored.refresh();
  expect(stored.poolOf({ host: '', teamId: 'team' })).toBe(before);
  plan = { ...plan, addresses: [address('1', { isActive: false })] };
  await stored.refresh();
  expect(retired).toEqual(['out1.test 192.0.2.1 ', 'out2.test 192.0.2.2 ']);
  expect(stored.poolOf({ host: '', teamId: 'team' })).toEqual({ name: 'all', hosts: [] });
});
