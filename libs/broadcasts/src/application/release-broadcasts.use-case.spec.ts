import { expect, it } from '@jest/globals';
import { InMemoryBroadcasting } from '../../../../test/support/in-memory-broadcasting.js';
import { ReleaseBroadcasts } from './release-broadcasts.use-case.js';

it('due broadcasts start once, and no others', async () => {
  const rig = new InMemoryBroadcasting();
  const release = new ReleaseBroadcasts(rig.broadcasts, rig.signal, rig.work, rig.clock);
  const ids: string[] = [];
  for (let n = 0; n < 52; n++) {
    const at = new Date(rig.clock.now().getTime() + (n === 51 ? 120_000 : 60_000));
    ids.push(await rig.start.create(rig.principal, rig.fields, at));
  }
  expect(await release.execute()).toBe(0);
  rig.clock.advance(60_000);
  expect(await release.execute()).toBe(51);
  expect(await release.execute()).toBe(0);
  expect(rig.signal.told).toHaveLength(51);
  expect(await rig.read(ids[0] ?? '')).toMatchObject({ status: 'queued', queuedAt: rig.clock.now() });
  expect((await rig.read(ids[51] ?? '')).status).toBe('scheduled');
});
