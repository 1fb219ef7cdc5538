import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { AudienceUsage, FindGroups } from './team-audience.query.js';

it('segments and topics are found by their own team alone', async () => {
  const audience = new InMemoryAudience();
  const find = new FindGroups(audience.segments, audience.topics);
  const segmentId = audience.addSegment();
  expect(await find.segment(audience.teamId, segmentId)).toMatchObject({ id: segmentId, filter: null });
  expect(await find.segment(newId(), segmentId)).toBeUndefined();
  expect(await find.topic(audience.teamId, newId())).toBeUndefined();
});

it('counts the contacts and segments of one team', async () => {
  const audience = new InMemoryAudience();
  await audience.add('ada@x.test', { segmentIds: [audience.addSegment()] });
  await audience.add('eve@x.test');
  const usage = new AudienceUsage(audience.contacts, audience.segments);
  expect(await usage.of(audience.teamId)).toEqual({ contacts: 2, segments: 1 });
  expect(await usage.of(newId())).toEqual({ contacts: 0, segments: 0 });
});
