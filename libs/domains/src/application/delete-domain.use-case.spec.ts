import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { DeleteDomain } from './delete-domain.use-case.js';

let rig: InMemoryDomains;
let deleteDomain: DeleteDomain;
let id: string;

beforeEach(async () => {
  rig = new InMemoryDomains();
  deleteDomain = new DeleteDomain(rig.unitOfWork, rig.domains, rig.records, rig.activity, rig.clock);
  ({ id } = await rig.create());
});

it('a deleted domain and its keys are gone, its mail is ended, and its name is free for everybody', async () => {
  await deleteDomain.execute(rig.teamId, id);
  expect(await rig.domains.read(id)).toBeUndefined();
  expect(await rig.domains.keys(id)).toEqual([]);
  expect(rig.activity.deleted).toEqual([id]);
  expect(rig.events.types).toEqual(['domain.created', 'domain.deleted']);
  await expect(rig.create({}, newId())).resolves.toMatchObject({ name: 'acme.test' });
});

it('is deleted by its own team alone, and once', async () => {
  await expect(deleteDomain.execute(newId(), id)).rejects.toThrow('Domain not found');
  await deleteDomain.execute(rig.teamId, id);
  await expect(deleteDomain.execute(rig.teamId, id)).rejects.toThrow('Domain not found');
  expect(rig.activity.deleted).toEqual([id]);
});

it('stays with its keys where its mail cannot be ended', async () => {
  rig.activity.domainDeleted = () => Promise.reject(new Error('later'));
  await expect(deleteDomain.execute(rig.teamId, id)).rejects.toThrow('later');
  expect(await rig.read(id)).toMatchObject({ id });
  expect(await rig.domains.keys(id)).toHaveLength(2);
  expect(rig.events.types).toEqual(['domain.created']);
});
