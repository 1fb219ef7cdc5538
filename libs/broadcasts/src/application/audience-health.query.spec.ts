import { expect, it } from '@jest/globals';
import { SegmentHealth } from '#audience';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/fakes/in-memory-broadcasting.js';
import { inMemoryFilters } from '../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { ReadAudienceHealth } from './audience-health.query.js';

it('looks at the segment of the broadcast, and tells no other team', async () => {
  const rig = new InMemoryBroadcasting();
  const segments = new SegmentHealth(rig.audience.segments, inMemoryFilters(rig.audience).filtered);
  const health = new ReadAudienceHealth(rig.broadcasts, segments);
  const id = await rig.draft();
  await rig.audience.add('ada@x.test', { segmentIds: [rig.segmentId] });
  await rig.audience.add('bob@x.test');
  expect(await health.read(rig.sending.teamId, id)).toMatchObject({ members: 1, recipients: 1, isEstimated: false });
  await expect(health.read(newId(), id)).rejects.toThrow('Broadcast not found');
});
