import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { FindGroups } from './find-groups.query.js';

it('segments and topics are found by their own team alone', async () => {
  const audience = new InMemoryAudience();
  const find = new FindGroups(audience.segments, audience.topics);
  const segmentId = audience.addSegment();
  expect(await find.segment(audience.teamId, segmentId)).toMatchObject({ id: segmentId, filter: null });
  expect(await find.segment(newId(), segmentId)).toBeUndefined();
  expect(await find.topic(audience.teamId, newId())).toBeUndefined();
});
