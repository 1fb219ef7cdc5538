import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { claimHost, claimValue, DomainClaim } from '../domain/domain-claim.js';
import { CheckClaims } from './check-claims.use-case.js';

const hourMs = 3_600_000;
let rig: InMemoryDomains;
let checks: CheckClaims;
let claim: DomainClaim;

beforeEach(async () => {
  rig = new InMemoryDomains();
  checks = new CheckClaims(rig.claims, rig.domains, rig.claimChanges, rig.activity, rig.dns, rig.clock);
  claim = rig.aClaim();
  await rig.claims.insert(claim);
});

const prove = () => rig.dns.set(claimHost('acme.test'), { txt: [claimValue(claim)] });
const check = async () => {
  await checks.check(claim.id);
  return rig.claims.read(claim.id);
};
const owner = async () => (await rig.domains.findOwned('acme.test'))?.teamId;

describe('a claim', () => {
  it('waits for its proof, and expires without one', async () => {
    await rig.create();
    const waiting = await check();
    expect(waiting?.status).toBe('pending');
    expect(waiting?.nextCheckAt?.getTime()).toBeGreaterThan(rig.clock.now().getTime());
    rig.dns.fail(claimHost('acme.test'));
    expect((await check())?.status).toBe('pending');
    rig.clock.advance(7 * 24 * hourMs);
    expect(await check()).toMatchObject({ status: 'expired', nextCheckAt: null });
    expect(await owner()).toBe(rig.teamId);
  });

  it('that is proven moves the name to the claimant, with keys of its own', async () => {
    const before = await rig.create();
    prove();
    expect(await check()).toMatchObject({ status: 'completed', provenAt: rig.clock.now(), nextCheckAt: null });
    expect(await rig.domains.findOwned('acme.test')).toMatchObject({ id: claim.domainId, teamId: claim.teamId });
    expect(await rig.domains.read(before.id)).toBeUndefined();
    expect(rig.activity.deleted).toEqual([before.id]);
    expect(await rig.domains.keys(claim.domainId)).toHaveLength(2);
    expect(rig.events.committed.map(({ type, teamId }) => [type, teamId])).toEqual([
      ['domain.created', rig.teamId],
      ['domain.deleted', rig.teamId],
      ['domain.created', claim.teamId],
    ]);
  });

  it('that is proven takes a name that has become free', async () => {
    prove();
    expect((await check())?.status).toBe('completed');
    expect(await owner()).toBe(claim.teamId);
  });

  it('leaves alone a domain that its team has created meanwhile', async () => {
    const { id } = await rig.create({}, claim.teamId);
    prove();
    expect(await check()).toMatchObject({ status: 'superseded', nextCheckAt: null });
    expect((await rig.domains.findOwned('acme.test'))?.id).toBe(id);
  });

  it('of another team for the same name is superseded', async () => {
    const other = rig.aClaim({ token: 'other' });
    await rig.claims.insert(other);
    prove();
    await check();
    expect(await rig.claims.read(other.id)).toMatchObject({ status: 'superseded', nextCheckAt: null });
  });

  it('is left alone once it is closed, or where there is none', async () => {
    prove();
    await check();
    const closed = await rig.claims.read(claim.id);
    rig.clock.advance(hourMs);
    await checks.check(newId());
    expect(await check()).toEqual(closed);
  });
});

describe('a proven claim waits', () => {
  it('while the owner has emails scheduled', async () => {
    await rig.create();
    prove();
    rig.activity.isScheduling = true;
    expect(await check()).toMatchObject({ status: 'blocked', blockedReason: 'pending_scheduled_emails' });
    rig.activity.isScheduling = false;
    expect(await check()).toMatchObject({ status: 'completed', blockedReason: null });
  });

  it('for a day after the owner has sent', async () => {
    await rig.create();
    prove();
    rig.activity.lastSentAt = rig.clock.now();
    expect(await check()).toMatchObject({ status: 'blocked', blockedReason: 'recent_owner_activity' });
    rig.clock.advance(24 * hourMs + 1);
    expect((await check())?.status).toBe('completed');
  });

  it('for a day where the owner is verified, and its proof need not stay', async () => {
    await rig.createVerified();
    prove();
    expect(await check()).toMatchObject({ status: 'blocked', blockedReason: 'grace_period' });
    rig.dns.remove(claimHost('acme.test'));
    expect(await owner()).toBe(rig.teamId);
    rig.clock.advance(24 * hourMs);
    expect((await check())?.status).toBe('completed');
    expect(await owner()).toBe(claim.teamId);
  });
});

it('a name is never without an owner: what fails half-way changes nothing', async () => {
  await rig.create();
  prove();
  rig.claims.supersedeOthers = () => Promise.reject(new Error('later'));
  await expect(check()).rejects.toThrow('later');
  expect(await owner()).toBe(rig.teamId);
  expect((await rig.claims.read(claim.id))?.status).toBe('pending');
  expect(rig.events.types).toEqual(['domain.created']);
});

it('gives out each claim that is due, and again after a while if its check has failed', async () => {
  const [first, second, waiting] = [rig.aClaim(), rig.aClaim(), rig.aClaim()];
  for (const claim of [first, second, waiting]) await rig.claims.insert(claim);
  for (const { id } of [first, second]) await rig.claims.makeDue(id, rig.clock.now());
  expect([...(await checks.claimDue(8))].sort()).toEqual([first.id, second.id].sort());
  expect(await checks.claimDue(8)).toEqual([]);
  rig.clock.advance(5 * 60_000);
  expect(await checks.claimDue(8)).toHaveLength(2);
});
