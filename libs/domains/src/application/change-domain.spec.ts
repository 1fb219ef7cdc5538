import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { DomainWithKeys } from './change-domain.js';

let rig: InMemoryDomains;
let id: string;

beforeEach(async () => {
  rig = new InMemoryDomains();
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
  await rig.change.execute(rig.teamId, id, decide, nothing);
  expect(tries).toBe(2);
  expect(await rig.read(id)).toMatchObject({ tls: 'enforced', openTracking: true });
});

it('gives up where others keep changing it', async () => {
  const decide = async (current: DomainWithKeys) => {
    await interfere();
    return enforced(current);
  };
  await expect(rig.change.execute(rig.teamId, id, decide, nothing)).rejects.toMatchObject({ code: 'resource_locked' });
  expect((await rig.read(id)).tls).toBe('opportunistic');
});

it('writes nothing where nothing is to change', async () => {
  const { version } = await rig.read(id);
  const within = () => Promise.reject(new Error('nothing is to be written'));
  await rig.change.execute(rig.teamId, id, (current) => current, within);
  expect((await rig.read(id)).version).toBe(version);
});

it('changes nothing where what belongs to the change fails', async () => {
  const within = () => Promise.reject(new Error('later'));
  await expect(rig.change.execute(rig.teamId, id, enforced, within)).rejects.toThrow('later');
  expect((await rig.read(id)).tls).toBe('opportunistic');
});

it("another team's domain is not there", async () => {
  await expect(rig.change.execute(newId(), id, enforced, nothing)).rejects.toMatchObject({ kind: 'not_found' });
});
