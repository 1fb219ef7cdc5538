import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { waitMs } from '../domain/record-check.js';
import { DomainWithKeys } from './change-domain.use-case.js';

let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

describe('a change', () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await rig.create());
  });

  const enforced = ({ domain, keys }: DomainWithKeys) => ({ domain: { ...domain, tls: 'enforced' as const }, keys });
  const nothing = (): Promise<void> => Promise.resolve();

  /** Somebody else changes the domain between its reading and its writing. */
  async function interfere(): Promise<void> {
    const domain = await rig.read(id);
    await rig.unitOfWork.run((transaction) => rig.domains.update({ ...domain, openTracking: true }, transaction));
  }

  it('a change that comes between is kept, and the decision is made again on what is then there', async () => {
    let tries = 0;
    const decide = async (current: DomainWithKeys) => {
      if (tries++ === 0) await interfere();
      return enforced(current);
    };
    await rig.change.apply(rig.teamId, id, decide, nothing);
    expect(tries).toBe(2);
    expect(await rig.read(id)).toMatchObject({ tls: 'enforced', openTracking: true });
  });

  it('gives up where others keep changing it', async () => {
    const decide = async (current: DomainWithKeys) => {
      await interfere();
      return enforced(current);
    };
    await expect(rig.change.apply(rig.teamId, id, decide, nothing)).rejects.toMatchObject({ code: 'resource_locked' });
    expect((await rig.read(id)).tls).toBe('opportunistic');
  });

  it('writes nothing where nothing is to change', async () => {
    const { version } = await rig.read(id);
    const within = () => Promise.reject(new Error('nothing is to be written'));
    await rig.change.apply(rig.teamId, id, (current) => current, within);
    expect((await rig.read(id)).version).toBe(version);
  });

  it('changes nothing where what belongs to the change fails', async () => {
    const within = () => Promise.reject(new Error('later'));
    await expect(rig.change.apply(rig.teamId, id, enforced, within)).rejects.toThrow('later');
    expect((await rig.read(id)).tls).toBe('opportunistic');
  });

  it("another team's domain is not there", async () => {
    await expect(rig.change.apply(newId(), id, enforced, nothing)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('an update', () => {
  it('settings change, the others stay, and the change is announced', async () => {
    const { id } = await rig.create({ clickTracking: true });
    await rig.change.update(rig.teamId, id, { tls: 'enforced' });
    expect(await rig.read(id)).toMatchObject({ tls: 'enforced', clickTracking: true, status: 'not_started' });
    expect(rig.events.types).toEqual(['domain.created', 'domain.updated']);
  });

  it('a request that says nothing changes and announces nothing', async () => {
    const { id } = await rig.create();
    await rig.change.update(rig.teamId, id, { tls: undefined });
    expect(rig.events.types).toEqual(['domain.created']);
  });

  it.each([{ tls: 'enforced' }, { openTracking: true }, { failover: true }] as const)(
    'the setting %j is announced, and causes no check, because it needs no other records',
    async (changes) => {
      const { id, checks, nextCheckAt } = await rig.createVerified();
      await rig.change.update(rig.teamId, id, changes);
      expect(await rig.read(id)).toMatchObject({ ...changes, status: 'verified', checks, nextCheckAt });
      expect(rig.events.types.at(-1)).toBe('domain.updated');
    },
  );

  it('a setting that has the value already changes and announces nothing', async () => {
    const { id, version, region } = await rig.createVerified({ tls: 'enforced' });
    const before = rig.events.types;
    await rig.change.update(rig.teamId, id, { tls: 'enforced', region, sending: true });
    expect(await rig.read(id)).toMatchObject({ version });
    expect(rig.events.types).toEqual(before);
  });

  it('records that get another value are looked at at once', async () => {
    const { id } = await rig.createVerified();
    await rig.change.update(rig.teamId, id, { region: 'eu-west-1' });
    expect(await rig.read(id)).toMatchObject({ region: 'eu-west-1', nextCheckAt: rig.clock.now() });
  });

  it('a record that comes with a setting is looked for at once where verification had begun', async () => {
    const { id } = await rig.createVerified();
    await rig.change.update(rig.teamId, id, { receiving: true });
    const domain = await rig.read(id);
    expect(domain).toMatchObject({ status: 'partially_verified', nextCheckAt: rig.clock.now() });
    expect(domain.checks.receiving).toMatchObject({ status: 'pending' });
  });

  it('the record of a setting that is taken back is forgotten', async () => {
    const { id } = await rig.createVerified({ receiving: true });
    await rig.change.update(rig.teamId, id, { receiving: false });
    const domain = await rig.read(id);
    expect([domain.status, domain.checks.receiving]).toEqual(['verified', undefined]);
  });

  it.each([
    ['that contradict each other', { sending: false }, 'At least one of the `capabilities`'],
    ['that use a name twice', { trackingSubdomain: 'send' }, 'must differ'],
  ])('refuses settings %s', async (_, changes, message) => {
    const { id } = await rig.create();
    await expect(rig.change.update(rig.teamId, id, changes)).rejects.toThrow(message);
  });

  it("another team's domain is not there", async () => {
    const { id } = await rig.create();
    await expect(rig.change.update(newId(), id, { tls: 'enforced' })).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('a verification', () => {
  it('a new domain is due for its check at once', async () => {
    const { id } = await rig.create();
    await rig.change.verify(rig.teamId, id);
    expect(await rig.read(id)).toMatchObject({ status: 'pending', nextCheckAt: rig.clock.now() });
    expect(rig.events.types).toEqual(['domain.created', 'domain.updated']);
  });

  it('what had been given up is waited for again', async () => {
    const { id } = await rig.create();
    await rig.checks.check(id);
    rig.clock.advance(waitMs);
    await rig.checks.check(id);
    expect((await rig.read(id)).status).toBe('failed');
    await rig.change.verify(rig.teamId, id);
    expect((await rig.read(id)).status).toBe('pending');
  });

  it('a verified domain stays verified while it is looked at again, and nothing is announced', async () => {
    const { id } = await rig.createVerified();
    const before = rig.events.types;
    await rig.change.verify(rig.teamId, id);
    expect(await rig.read(id)).toMatchObject({ status: 'verified', nextCheckAt: rig.clock.now() });
    expect(rig.events.types).toEqual(before);
  });

  it('a sandbox domain has nothing to be verified', async () => {
    const { id } = await rig.createSandbox();
    await rig.change.verify(rig.teamId, id);
    expect(await rig.read(id)).toMatchObject({ status: 'verified', nextCheckAt: null });
  });

  it("another team's domain is not there", async () => {
    const { id } = await rig.create();
    await expect(rig.change.verify(newId(), id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('a deletion', () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await rig.create());
  });

  it('a deleted domain and its keys are gone, its mail is ended, and its name is free for everybody', async () => {
    await rig.change.delete(rig.teamId, id);
    expect(await rig.domains.read(id)).toBeUndefined();
    expect(await rig.domains.keys(id)).toEqual([]);
    expect(rig.activity.deleted).toEqual([id]);
    expect(rig.events.types).toEqual(['domain.created', 'domain.deleted']);
    await expect(rig.create({}, newId())).resolves.toMatchObject({ name: 'acme.test' });
  });

  it('is deleted by its own team alone, and once', async () => {
    await expect(rig.change.delete(newId(), id)).rejects.toThrow('Domain not found');
    await rig.change.delete(rig.teamId, id);
    await expect(rig.change.delete(rig.teamId, id)).rejects.toThrow('Domain not found');
    expect(rig.activity.deleted).toEqual([id]);
  });

  it('stays with its keys where its mail cannot be ended', async () => {
    rig.activity.domainDeleted = () => Promise.reject(new Error('later'));
    await expect(rig.change.delete(rig.teamId, id)).rejects.toThrow('later');
    expect(await rig.read(id)).toMatchObject({ id });
    expect(await rig.domains.keys(id)).toHaveLength(2);
    expect(rig.events.types).toEqual(['domain.created']);
  });
});

describe('a rotation', () => {
  const selectors = async (id: string) => (await rig.domains.keys(id)).map(({ selector }) => selector);

  it('new keys wait under selectors of their own while the present one signs', async () => {
    const { id } = await rig.createVerified();
    await rig.change.rotateKeys(rig.teamId, id);
    expect(await rig.keyStates(id)).toEqual(['signing', 'published']);
    expect(await selectors(id)).toEqual(['postrider', 'postrider-ed25519', 'postrider2', 'postrider2-ed25519']);
    expect(await rig.read(id)).toMatchObject({ dkimGeneration: 2, status: 'verified', nextCheckAt: rig.clock.now() });
    expect(rig.events.types.at(-1)).toBe('domain.updated');
  });

  it('asked again while a rotation is under way, it changes nothing', async () => {
    const { id } = await rig.createVerified();
    await rig.change.rotateKeys(rig.teamId, id);
    const [before, events] = [await rig.domains.keys(id), rig.events.types];
    await rig.change.rotateKeys(rig.teamId, id);
    expect(await rig.domains.keys(id)).toEqual(before);
    expect(rig.events.types).toEqual(events);
  });

  it('an Ed25519 key that was never seen gives way to its successor', async () => {
    const { id } = await rig.create();
    await rig.change.rotateKeys(rig.teamId, id);
    expect(await rig.keyStates(id, 'ed25519-sha256')).toEqual(['retired', 'published']);
  });

  it('a delegated selector is not used again while mail signed under it may be on its way', async () => {
    const { id } = await rig.createVerified({ dkimPublication: 'cname' });
    const rotate = async () => {
      await rig.change.rotateKeys(rig.teamId, id);
      await rig.publish(id);
      rig.clock.advance(3_600_000);
      await rig.checks.check(id);
    };
    await rotate();
    expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
    await expect(rotate()).rejects.toMatchObject({ code: 'resource_locked' });
    rig.clock.advance(7 * 86_400_000);
    await rig.checks.check(id);
    await rotate();
    expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
  });

  it("refuses a sandbox domain, and another team's", async () => {
    const sandbox = await rig.createSandbox();
    await expect(rig.change.rotateKeys(rig.teamId, sandbox.id)).rejects.toThrow('not in the DNS');
    const { id } = await rig.create();
    await expect(rig.change.rotateKeys(newId(), id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});
