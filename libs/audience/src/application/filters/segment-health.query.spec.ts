import { expect, it } from '@jest/globals';
import { InMemoryAudience } from '../../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { SegmentHealth } from './segment-health.query.js';

it('measures members that were added and those that match a filter, of segments of the team alone', async () => {
  const audience = new InMemoryAudience();
  const health = new SegmentHealth(audience.segments, inMemoryFilters(audience).filtered);
  const added = audience.addSegment();
  const filtered = audience.addSegment({
    type: 'rule',
    field: 'contact.email',
    operator: 'ends_with',
    value: '@x.test',
  });
  await audience.add('ada@x.test', { segmentIds: [added] });
  await audience.add('bob@x.test');
  expect(await health.measure(audience.teamId, added, null)).toMatchObject({ members: 1, measured: 1 });
  expect(await health.measure(audience.teamId, filtered, null)).toMatchObject({ members: 2, measured: 2 });
  await expect(health.measure(audience.stranger.teamId, added, null)).rejects.toThrow('not found');
});
