import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { ReadDomains } from './read-domains.query.js';

let rig: InMemoryDomains;
let readDomains: ReadDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
  readDomains = new ReadDomains(rig.domains, rig.records, rig.names);
});

it('lists the domains of the team, newest first, whole or in pages', async () => {
  for (const name of ['one.test', 'two.test', 'three.test']) await rig.create({ name });
  await rig.create({ name: 'other.test' }, newId());
  const names = async (page?: { limit: number; after?: string }) =>
    (await readDomains.list(rig.teamId, page)).items.map(({ name }) => name);
  expect(await names()).toEqual(['three.test', 'two.test', 'one.test']);
  expect(await names({ limit: 1 })).toEqual(['three.test']);
});

it('shows a domain with its records, named as a provider wants them entered', async () => {
  const { id } = await rig.createVerified();
  const read = await readDomains.find(rig.teamId, id);
  expect(read?.domain.id).toBe(id);
  expect(read?.records).toContainEqual(
    expect.objectContaining({ record: 'DKIM', name: 'postrider._domainkey', type: 'TXT', status: 'verified' }),
  );
  expect(await readDomains.find(newId(), id)).toBeUndefined();
});

it('diagnoses each record: whether it is required, and what to do about it', async () => {
  const { id } = await rig.create();
  await rig.checks.check(id);
  const diagnosed = await readDomains.diagnose(rig.teamId, id);
  const spf = diagnosed?.records.find(({ view }) => view.record === 'SPF');
  expect(spf).toMatchObject({ host: 'send.acme.test', required: true, check: { status: 'pending' } });
  expect(spf?.advice).toContain('Expected: the');
  expect(await readDomains.diagnose(newId(), id)).toBeUndefined();
});

it('tells where each key is looked for, and for delegated keys where we publish it', async () => {
  const { id } = await rig.create();
  const delegated = await rig.create({ name: 'delegated.test', dkimPublication: 'cname' });
  const [rsa] = (await readDomains.keys(rig.teamId, id)) ?? [];
  expect(rsa).toMatchObject({ host: 'postrider._domainkey.acme.test', serviceHost: undefined, removableAt: undefined });
  const [alias] = (await readDomains.keys(rig.teamId, delegated.id)) ?? [];
  expect(alias?.serviceHost).toMatch(/^postrider\.[0-9a-f]{32}\.dkim\.mail\.service\.test$/);
  expect(await readDomains.keys(newId(), id)).toBeUndefined();
});

it('tells the regions and the host of each, the default first', () => {
  const regions = readDomains.regions();
  expect(regions.map(({ name }) => name)).toEqual(rig.names.regions);
  expect(regions[0]?.host).toBe('mail.service.test');
});

it('tells when the record of a retired key may be removed', async () => {
  const { id } = await rig.createVerified();
  await rig.change.rotateKeys(rig.teamId, id);
  await rig.publish(id);
  await rig.checks.check(id);
  const keys = (await readDomains.keys(rig.teamId, id)) ?? [];
  const retired = keys.find(({ key }) => key.state === 'retired');
  expect(retired?.removableAt).toEqual(new Date(rig.clock.now().getTime() + 7 * 86_400_000));
});
