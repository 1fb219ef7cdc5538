import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { waitMs } from '../domain/record-check.js';

const hourMs = 3_600_000;
const returnPath = 'send.acme.test';
let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

const check = async (id: string) => (await rig.checks.check(id))?.domain;

describe('checking a domain', () => {
  it('verifies it once all its records are seen, and says so once', async () => {
    const { id } = await rig.create();
    await rig.publish(id);
    expect(await check(id)).toMatchObject({ status: 'verified', checkedAt: rig.clock.now() });
    expect(await rig.read(id)).toMatchObject({ status: 'verified' });
    await check(id);
    expect(rig.events.types).toEqual(['domain.created', 'domain.updated']);
  });

  it('has the Ed25519 key sign once its record is seen, and no longer when it is gone', async () => {
    const { id } = await rig.createVerified();
    expect(await rig.keyStates(id, 'ed25519-sha256')).toEqual(['signing']);
    rig.dns.remove('postrider-ed25519._domainkey.acme.test');
    await check(id);
    expect(await rig.keyStates(id, 'ed25519-sha256')).toEqual(['published']);
    expect((await rig.read(id)).status).toBe('verified');
  });

  it('waits for records that are missing, and gives up after 72 hours', async () => {
    const { id } = await rig.create();
    const domain = await check(id);
    expect(domain?.status).toBe('pending');
    expect(domain?.nextCheckAt?.getTime()).toBeGreaterThan(rig.clock.now().getTime());
    rig.clock.advance(waitMs);
    expect(await check(id)).toMatchObject({ status: 'failed', nextCheckAt: null });
  });

  it('takes a lost record for a temporary failure, until it is back', async () => {
    const { id } = await rig.createVerified();
    rig.dns.remove(returnPath);
    expect((await check(id))?.status).toBe('temporary_failure');
    await rig.publish(id);
    expect((await check(id))?.status).toBe('verified');
  });

  it('takes a DNS that does not answer for no news', async () => {
    const { id } = await rig.createVerified();
    rig.dns.fail(returnPath);
    rig.dns.fail('acme.test');
    expect((await check(id))?.status).toBe('verified');
  });

  it('learns who runs the name servers, and keeps it while they do not answer', async () => {
    const { id } = await rig.create();
    rig.dns.set('acme.test', { ns: ['ada.ns.cloudflare.com'] });
    const known = (await check(id))?.dnsProvider;
    expect(known).toMatch(/cloudflare/i);
    rig.dns.fail('acme.test');
    expect((await check(id))?.dnsProvider).toBe(known);
  });

  it('learns of the logo of its brand, and keeps it while the DNS does not answer', async () => {
    const { id } = await rig.create();
    rig.dns.set('_dmarc.acme.test', { txt: ['v=DMARC1; p=reject'] });
    expect((await check(id))?.brandLogo).toMatchObject({ isDmarcEnforced: true, host: null });
    rig.dns.set('default._bimi.acme.test', { txt: ['v=BIMI1; l=https://acme.test/logo.svg'] });
    const known = (await check(id))?.brandLogo;
    expect(known).toMatchObject({ isDmarcEnforced: true, host: 'default._bimi.acme.test', mistake: null });
    rig.dns.fail('default._bimi.acme.test');
    expect((await check(id))?.brandLogo).toEqual(known);
  });

  it('a subdomain has the logo and the policy of its zone, where it has none of its own', async () => {
    const { id } = await rig.create({ name: 'news.acme.test' });
    rig.dns.set('_dmarc.acme.test', { txt: ['v=DMARC1; p=reject; sp=none'] });
    rig.dns.set('default._bimi.acme.test', { txt: ['v=BIMI1; l=https://acme.test/logo.svg'] });
    const inherited = { isDmarcEnforced: false, host: 'default._bimi.acme.test' };
    expect((await check(id))?.brandLogo).toMatchObject(inherited);
    rig.dns.set('_dmarc.news.acme.test', { txt: ['v=DMARC1; p=quarantine'] });
    expect((await check(id))?.brandLogo).toMatchObject({ ...inherited, isDmarcEnforced: true });
  });
});

it('looks again where the domain was changed meanwhile', async () => {
  const { id } = await rig.create();
  await rig.publish(id);
  const ask = rig.dns.ask.bind(rig.dns);
  rig.dns.ask = async (type, name) => {
    rig.dns.ask = ask;
    const domain = await rig.read(id);
    await rig.unitOfWork.run((transaction) => rig.domains.update({ ...domain, tls: 'enforced' }, transaction));
    return ask(type, name);
  };
  expect(await check(id)).toMatchObject({ status: 'verified', tls: 'enforced' });
  expect(await rig.read(id)).toMatchObject({ status: 'verified', tls: 'enforced' });
});

it('what was seen counts for nothing where the domain is changed each time, or deleted', async () => {
  const { id } = await rig.create();
  const ask = rig.dns.ask.bind(rig.dns);
  rig.dns.ask = async (type, name) => {
    const domain = await rig.read(id);
    await rig.unitOfWork.run((transaction) => rig.domains.update({ ...domain, tls: 'enforced' }, transaction));
    return ask(type, name);
  };
  expect(await rig.checks.check(id)).toBeUndefined();
  expect(await rig.read(id)).toMatchObject({ status: 'not_started', tls: 'enforced', checkedAt: null });
  expect(await rig.checks.check(newId())).toBeUndefined();
});

it('a sandbox domain is never looked for in the DNS', async () => {
  const { id } = await rig.createSandbox();
  expect(await rig.checks.check(id)).toBeUndefined();
});

it('a new key takes over when it is seen, and the one before stays until its mail has arrived', async () => {
  const { id } = await rig.createVerified();
  await rig.change.rotateKeys(rig.teamId, id);
  await check(id);
  expect(await rig.keyStates(id)).toEqual(['signing', 'published']);
  await rig.publish(id);
  await check(id);
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
  rig.clock.advance(8 * 24 * hourMs);
  await check(id);
  expect(await rig.keyStates(id)).toEqual(['signing']);
});

async function createDue(name: string): Promise<string> {
  const { id } = await rig.create({ name });
  await rig.publish(id);
  await rig.change.verify(rig.teamId, id);
  return id;
}

it('gives out what is due, a few at a time and nothing twice, until the lease ends', async () => {
  for (let n = 0; n < 10; n++) await createDue(`acme${n}.test`);
  await rig.create({ name: 'not-due.test' });
  const [first, second] = [await rig.checks.claimDue(8), await rig.checks.claimDue(8)];
  expect([first.length, second.length, (await rig.checks.claimDue(8)).length]).toEqual([8, 2, 0]);
  for (const id of first) {
    const checked = await rig.checks.check(id);
    expect([checked?.before.status, checked?.domain.status]).toEqual(['pending', 'verified']);
  }
  rig.clock.advance(5 * 60_000);
  expect([...(await rig.checks.claimDue(8))].sort()).toEqual([...second].sort());
});
