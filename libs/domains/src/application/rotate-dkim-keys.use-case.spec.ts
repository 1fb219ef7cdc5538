import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';

let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

const selectors = async (id: string) => (await rig.domains.keys(id)).map(({ selector }) => selector);

it('new keys wait under selectors of their own while the present one signs', async () => {
  const { id } = await rig.createVerified();
  await rig.rotateKeys.execute(rig.teamId, id);
  expect(await rig.keyStates(id)).toEqual(['signing', 'published']);
  expect(await selectors(id)).toEqual(['postrider', 'postrider-ed25519', 'postrider2', 'postrider2-ed25519']);
  expect(await rig.read(id)).toMatchObject({ dkimGeneration: 2, status: 'verified', nextCheckAt: rig.clock.now() });
  expect(rig.events.types.at(-1)).toBe('domain.updated');
});

it('asked again while a rotation is under way, it changes nothing', async () => {
  const { id } = await rig.createVerified();
  await rig.rotateKeys.execute(rig.teamId, id);
  const [before, events] = [await rig.domains.keys(id), rig.events.types];
  await rig.rotateKeys.execute(rig.teamId, id);
  expect(await rig.domains.keys(id)).toEqual(before);
  expect(rig.events.types).toEqual(events);
});

it('an Ed25519 key that was never seen gives way to its successor', async () => {
  const { id } = await rig.create();
  await rig.rotateKeys.execute(rig.teamId, id);
  expect(await rig.keyStates(id, 'ed25519-sha256')).toEqual(['retired', 'published']);
});

it('a delegated selector is not used again while mail signed under it may be on its way', async () => {
  const { id } = await rig.createVerified({ dkimPublication: 'cname' });
  const rotate = async () => {
    await rig.rotateKeys.execute(rig.teamId, id);
    await rig.publish(id);
    rig.clock.advance(3_600_000);
    await rig.checkDomain.execute(id);
  };
  await rotate();
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
  await expect(rotate()).rejects.toMatchObject({ code: 'resource_locked' });
  rig.clock.advance(7 * 86_400_000);
  await rig.checkDomain.execute(id);
  await rotate();
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
});

it("refuses a sandbox domain, and another team's", async () => {
  const sandbox = await rig.createSandbox();
  await expect(rig.rotateKeys.execute(rig.teamId, sandbox.id)).rejects.toThrow('not in the DNS');
  const { id } = await rig.create();
  await expect(rig.rotateKeys.execute(newId(), id)).rejects.toMatchObject({ kind: 'not_found' });
});
