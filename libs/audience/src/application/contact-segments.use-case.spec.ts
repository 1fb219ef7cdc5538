import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { ContactSegments } from './contact-segments.use-case.js';

let audience: InMemoryAudience;
let members: ContactSegments;
beforeEach(() => {
  audience = new InMemoryAudience();
  const { contacts, segments, memberships, recorder, work, clock } = audience;
  members = new ContactSegments(contacts, segments, memberships, recorder, work, clock);
});

it('a contact joins and leaves once, with an event for each', async () => {
  const segmentId = audience.addSegment();
  const id = await audience.add('ada@x.test');
  for (const key of [id, 'ADA@x.test']) expect(await members.add(audience.principal, key, segmentId)).toBe(id);
  expect((await members.segmentsOf(audience.teamId, id, { limit: 5 })).items).toMatchObject([{ id: segmentId }]);
  for (const key of [id, id]) expect(await members.remove(audience.principal, key, segmentId)).toBe(id);
  expect(audience.events.types).toEqual(['contact.created', 'contact.updated', 'contact.updated']);
  expect(audience.events.committed[2]?.data).toMatchObject({
    segment_ids: [],
    previous_attributes: { segment_ids: [segmentId] },
  });
});

it('members of a segment with a filter, and of segments of others, cannot be added', async () => {
  const id = await audience.add('ada@x.test');
  await expect(members.add(audience.principal, id, audience.addSegment({ a: 1 }))).rejects.toThrow('filter');
  await expect(members.add(audience.principal, id, newId())).rejects.toThrow('Audience not found');
  await expect(members.add(audience.stranger, id, audience.addSegment())).rejects.toThrow('Contact not found');
  await expect(members.add(audience.sender, id, audience.addSegment())).rejects.toThrow();
});
