import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { UpdateDomain } from './update-domain.use-case.js';

let rig: InMemoryDomains;
let updateDomain: UpdateDomain;

beforeEach(() => {
  rig = new InMemoryDomains();
  updateDomain = new UpdateDomain(rig.change, rig.records, rig.clock);
});

it('settings change, the others stay, and the change is announced', async () => {
  const { id } = await rig.create({ clickTracking: true });
  await updateDomain.execute(rig.teamId, id, { tls: 'enforced' });
  expect(await rig.read(id)).toMatchObject({ tls: 'enforced', clickTracking: true, status: 'not_started' });
  expect(rig.events.types).toEqual(['domain.created', 'domain.updated']);
});

it('a request that says nothing changes and announces nothing', async () => {
  const { id } = await rig.create();
  await updateDomain.execute(rig.teamId, id, { tls: undefined });
  expect(rig.events.types).toEqual(['domain.created']);
});

it('a record that comes with a setting is looked for at once where verification had begun', async () => {
  const { id } = await rig.createVerified();
  await updateDomain.execute(rig.teamId, id, { receiving: true });
  const domain = await rig.read(id);
  expect(domain).toMatchObject({ status: 'partially_verified', nextCheckAt: rig.clock.now() });
  expect(domain.checks.receiving).toMatchObject({ status: 'pending' });
});

it('the record of a setting that is taken back is forgotten', async () => {
  const { id } = await rig.createVerified({ receiving: true });
  await updateDomain.execute(rig.teamId, id, { receiving: false });
  const domain = await rig.read(id);
  expect([domain.status, domain.checks.receiving]).toEqual(['verified', undefined]);
});

it.each([
  ['that contradict each other', { sending: false }, 'At least one of the `capabilities`'],
  ['that use a name twice', { trackingSubdomain: 'send' }, 'must differ'],
])('refuses settings %s', async (_, changes, message) => {
  const { id } = await rig.create();
  await expect(updateDomain.execute(rig.teamId, id, changes)).rejects.toThrow(message);
});

it("another team's domain is not there", async () => {
  const { id } = await rig.create();
  await expect(updateDomain.execute(newId(), id, { tls: 'enforced' })).rejects.toMatchObject({ kind: 'not_found' });
});
