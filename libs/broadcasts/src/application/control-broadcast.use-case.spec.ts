import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/in-memory-broadcasting.js';
import { ControlBroadcast } from './control-broadcast.use-case.js';

let rig: InMemoryBroadcasting;
let control: ControlBroadcast;
beforeEach(() => {
  rig = new InMemoryBroadcasting();
  control = new ControlBroadcast(rig.broadcasts, rig.signal, rig.work, rig.clock);
});

async function queued(): Promise<string> {
  const id = await rig.draft();
  await rig.start.execute(rig.principal, id, undefined);
  return id;
}

it('a schedule that is canceled is a draft again', async () => {
  const id = await rig.draft();
  await rig.start.execute(rig.principal, id, new Date(rig.clock.now().getTime() + 60_000));
  await control.cancel(rig.principal, id);
  expect(await rig.read(id)).toMatchObject({ status: 'draft', scheduledAt: null });
  await expect(control.cancel(rig.principal, id)).rejects.toThrow('can be canceled');
});

it('sending stops for good, or until it is resumed', async () => {
  const id = await queued();
  await expect(control.resume(rig.principal, id)).rejects.toThrow('Only paused');
  await control.pause(rig.principal, id);
  await expect(control.pause(rig.principal, id)).rejects.toThrow('Only queued');
  expect((await rig.read(id)).status).toBe('paused');
  await control.resume(rig.principal, id);
  expect(rig.signal.told).toEqual([id, id]);
  await control.pause(rig.principal, id);
  await control.cancel(rig.principal, id);
  expect((await rig.read(id)).status).toBe('canceled');
  await expect(control.resume(rig.principal, id)).rejects.toThrow('Only paused');
});

it('needs permission in the same team', async () => {
  const id = await queued();
  const viewer = Principal.ofUser({ id: newId(), teamId: rig.sending.teamId, role: 'viewer' });
  const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  await expect(control.cancel(viewer, id)).rejects.toThrow('broadcasts:write');
  await expect(control.resume(viewer, id)).rejects.toThrow('broadcasts:send');
  await expect(control.pause(stranger, id)).rejects.toThrow('Broadcast not found');
});
