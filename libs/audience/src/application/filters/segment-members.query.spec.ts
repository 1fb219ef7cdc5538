import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryAudience } from '../../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { SegmentMembers } from './segment-members.query.js';

let audience: InMemoryAudience;
let members: SegmentMembers;
beforeEach(() => {
  audience = new InMemoryAudience();
  members = inMemoryFilters(audience).members;
});

const filter = { type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@x.test' };

it('the members of a filter are those that match it now', async () => {
  const segmentId = audience.addSegment(filter);
  await audience.add('ada@x.test');
  await audience.add('eve@y.test');
  const emails = async (search?: string): Promise<string[]> => {
    const found = search === undefined ? undefined : { text: search };
    return (await members.page(audience.teamId, segmentId, { limit: 5 }, found)).items.map(({ email }) => email);
  };
  expect(await emails()).toEqual(['ada@x.test']);
  await audience.add('bob@x.test');
  expect(await emails()).toEqual(['bob@x.test', 'ada@x.test']);
  expect(await emails('bo')).toEqual(['bob@x.test']);
});

it('all members are read in turn, of a filter and of a list', async () => {
  const list = audience.addSegment();
  const filtered = audience.addSegment(filter);
  const ids: string[] = [];
  for (let no = 0; no < 5; no++) ids.push(await audience.add(`user${no}@x.test`, { segmentIds: [list] }));
  await audience.add('eve@y.test');
  for (const segmentId of [list, filtered]) {
    const first = await members.next(audience.teamId, segmentId, undefined, 3);
    const second = await members.next(audience.teamId, segmentId, first[2]?.id, 3);
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
  }
  await expect(members.next(audience.stranger.teamId, list, undefined, 3)).rejects.toThrow('Audience not found');
});
