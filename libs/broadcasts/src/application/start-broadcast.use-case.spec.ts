import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/in-memory-broadcasting.js';

let rig: InMemoryBroadcasting;
beforeEach(() => {
  rig = new InMemoryBroadcasting();
});

const start = (id: string, at?: Date) => rig.start.execute(rig.principal, id, at);
const later = (ms: number) => new Date(rig.clock.now().getTime() + ms);

it('a draft is queued, and those who send are told once', async () => {
  const id = await rig.draft();
  await start(id);
  expect(await rig.read(id)).toMatchObject({
    ...{ status: 'queued', queuedAt: rig.clock.now(), scheduledAt: null, domainId: rig.sending.domainId },
  });
  expect(rig.signal.told).toEqual([id]);
  await expect(start(id)).rejects.toThrow('Only draft and scheduled broadcasts can be sent.');
});

it('a time in the future is a schedule, which may change or end', async () => {
  const id = await rig.draft();
  await start(id, later(3_600_000));
  await start(id, later(7_200_000));
  expect(await rig.read(id)).toMatchObject({ status: 'scheduled', scheduledAt: later(7_200_000), queuedAt: null });
  expect(rig.signal.told).toEqual([]);
  await start(id);
  expect(await rig.read(id)).toMatchObject({ status: 'queued', scheduledAt: later(7_200_000) });
});

it('a time just past is now, and others are refused', async () => {
  const id = await rig.draft();
  await expect(start(id, later(-120_000))).rejects.toThrow('in the future');
  await expect(start(id, later(31 * 86_400_000))).rejects.toThrow('30 days');
  await start(id, later(-30_000));
  expect((await rig.read(id)).status).toBe('queued');
});

it('nothing is created that may not start', async () => {
  const stored = () => rig.broadcasts.rows.where(() => true).length;
  const create = (fields: object, at?: Date) => rig.start.create(rig.principal, { ...rig.fields, ...fields }, at);
  await expect(create({ html: 'no link' })).rejects.toThrow('no link to unsubscribe');
  await expect(create({ from: 'a@other.test' })).rejects.toThrow('not verified');
  await expect(create({ subject: '{{{CITY}}}' })).rejects.toThrow('`CITY`');
  expect(stored()).toBe(0);
  expect((await rig.read(await create({}, later(60_000)))).status).toBe('scheduled');
});

it('a key for sending sends what others wrote, from its own domain', async () => {
  const id = await rig.draft();
  const key = (domainId: string) =>
    Principal.ofApiKey({ id: newId(), teamId: rig.sending.teamId, permission: 'sending_access', domainId });
  await expect(rig.start.execute(key(newId()), id, undefined)).rejects.toThrow('one domain only');
  await expect(rig.start.create(key(rig.sending.domainId), rig.fields, undefined)).rejects.toThrow();
  await rig.start.execute(key(rig.sending.domainId), id, undefined);
  expect(await rig.read(id)).toMatchObject({ status: 'queued', actor: { kind: 'api_key' } });
});
