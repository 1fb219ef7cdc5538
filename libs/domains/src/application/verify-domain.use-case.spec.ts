import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { waitMs } from '../domain/record-check.js';
import { VerifyDomain } from './verify-domain.use-case.js';

let rig: InMemoryDomains;
let verifyDomain: VerifyDomain;

beforeEach(() => {
  rig = new InMemoryDomains();
  verifyDomain = new VerifyDomain(rig.change, rig.records, rig.clock);
});

it('a new domain is due for its check at once', async () => {
  const { id } = await rig.create();
  await verifyDomain.execute(rig.teamId, id);
  expect(await rig.read(id)).toMatchObject({ status: 'pending', nextCheckAt: rig.clock.now() });
  expect(rig.events.types).toEqual(['domain.created', 'domain.updated']);
});

it('what had been given up is waited for again', async () => {
  const { id } = await rig.create();
  await rig.checkDomain.execute(id);
  rig.clock.advance(waitMs);
  await rig.checkDomain.execute(id);
  expect((await rig.read(id)).status).toBe('failed');
  await verifyDomain.execute(rig.teamId, id);
  expect((await rig.read(id)).status).toBe('pending');
});

it('a verified domain stays verified while it is looked at again, and nothing is announced', async () => {
  const { id } = await rig.createVerified();
  const before = rig.events.types;
  await verifyDomain.execute(rig.teamId, id);
  expect(await rig.read(id)).toMatchObject({ status: 'verified', nextCheckAt: rig.clock.now() });
  expect(rig.events.types).toEqual(before);
});

it('a sandbox domain has nothing to be verified', async () => {
  const { id } = await rig.createSandbox();
  await verifyDomain.execute(rig.teamId, id);
  expect(await rig.read(id)).toMatchObject({ status: 'verified', nextCheckAt: null });
});

it("another team's domain is not there", async () => {
  const { id } = await rig.create();
  await expect(verifyDomain.execute(newId(), id)).rejects.toMatchObject({ kind: 'not_found' });
});
