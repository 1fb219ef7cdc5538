import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { claimLifeMs } from '../domain/domain-claim.js';
import { CheckClaims } from './check-claims.use-case.js';
import { ClaimDomain } from './claim-domain.use-case.js';

let rig: InMemoryDomains;
let claimDomain: ClaimDomain;
let claimant: string;

beforeEach(() => {
  rig = new InMemoryDomains();
  claimDomain = new ClaimDomain(rig.domains, rig.claims, rig.createDomain, rig.unitOfWork, rig.clock);
  claimant = newId();
});

it("another team's domain is claimed with a token to be published", async () => {
  await rig.create();
  const { claim, isNew } = await claimDomain.claim(claimant, { name: 'ACME.test' });
  expect(isNew).toBe(true);
  expect(claim).toMatchObject({ name: 'acme.test', status: 'pending', token: expect.stringMatching(/^[0-9a-f]{40}$/) });
  expect(await claimDomain.find(claimant, claim.domainId)).toEqual(claim);
  await expect(claimDomain.find(newId(), claim.domainId)).rejects.toMatchObject({ kind: 'not_found' });
});

it('claimed again, it is the same claim with the same token', async () => {
  await rig.create();
  const { claim } = await claimDomain.claim(claimant, { name: 'acme.test' });
  expect(await claimDomain.claim(claimant, { name: 'acme.test' })).toEqual({ claim, isNew: false });
});

it('one that its team never asks about ends when it expires, and the name can be claimed again', async () => {
  await rig.create();
  const { claim } = await claimDomain.claim(claimant, { name: 'acme.test' });
  const checks = new CheckClaims(rig.claims, rig.domains, rig.claimChanges, rig.activity, rig.dns, rig.clock);
  expect(await checks.claimDue(8)).toEqual([]);
  rig.clock.advance(claimLifeMs);
  for (const id of await checks.claimDue(8)) await checks.check(id);
  expect(await claimDomain.find(claimant, claim.domainId)).toMatchObject({ status: 'expired' });
  expect(await claimDomain.claim(claimant, { name: 'acme.test' })).toMatchObject({ isNew: true });
});

it('refuses what is free, is the own, or could not become a domain', async () => {
  await expect(claimDomain.claim(claimant, { name: 'acme.test' })).rejects.toThrow('Create it instead');
  await rig.create();
  await rig.createSandbox();
  await expect(claimDomain.claim(rig.teamId, { name: 'acme.test' })).rejects.toThrow('belongs to your team already');
  await expect(claimDomain.claim(claimant, { name: 'sandbox.test' })).rejects.toThrow('Create it instead');
  const impossible = claimDomain.claim(claimant, { name: 'acme.test', region: 'moon-1' });
  await expect(impossible).rejects.toMatchObject({ code: 'invalid_region' });
  expect(await rig.claims.findOpen(claimant, 'acme.test')).toBeUndefined();
});

it('an open claim is due at once when its team asks, and a closed one never', async () => {
  await rig.create();
  const { claim } = await claimDomain.claim(claimant, { name: 'acme.test' });
  await claimDomain.verify(claimant, claim.domainId);
  expect((await rig.claims.read(claim.id))?.nextCheckAt).toEqual(rig.clock.now());
  await rig.unitOfWork.run((transaction) =>
    rig.claims.update({ ...claim, status: 'expired', nextCheckAt: null }, transaction),
  );
  expect(await claimDomain.verify(claimant, claim.domainId)).toMatchObject({ status: 'expired' });
  expect((await rig.claims.read(claim.id))?.nextCheckAt).toBeNull();
});
