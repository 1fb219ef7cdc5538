import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { maxSegments } from '../domain/segment.js';
import { Segments } from './segments.use-case.js';

const filter = { type: 'rule', field: 'contact.email', operator: 'exists' };

it('segments are created, renamed and removed by their team alone, and their members are to be removed', async () => {
  const audience = new InMemoryAudience();
  const { segments, removals, work, clock, teamId, principal } = audience;
  const manage = new Segments(segments, audience.memberships, removals, inMemoryFilters(audience).check, work, clock);
  const { id } = await manage.create(principal, 'One', filter);
  await manage.rename(principal, id, 'Two');
  expect(await manage.find(teamId, id)).toMatchObject({ name: 'Two', filter });
  await manage.remove(audience.stranger, id);
  await expect(manage.rename(audience.stranger, id, 'X')).rejects.toThrow('Audience not found');
  expect(removals.added).toEqual([]);
  await manage.remove(principal, id);
  await manage.remove(principal, newId());
  expect(removals.added).toEqual([{ kind: 'segment', teamId, subjectId: id }]);
  await expect(manage.find(teamId, id)).rejects.toThrow('Audience not found');
  await expect(manage.create(audience.sender, 'X')).rejects.toThrow();
});

it('a team has a limited number of segments', async () => {
  const audience = new InMemoryAudience();
  const { segments, removals, work, clock } = audience;
  const manage = new Segments(segments, audience.memberships, removals, inMemoryFilters(audience).check, work, clock);
  for (let n = 0; n < maxSegments; n++) audience.addSegment();
  await expect(manage.create(audience.principal, 'One more')).rejects.toThrow('at most');
});

it('a filter is checked before a segment has it, and an empty one is none', async () => {
  const audience = new InMemoryAudience();
  const { segments, removals, work, clock, principal } = audience;
  const manage = new Segments(segments, audience.memberships, removals, inMemoryFilters(audience).check, work, clock);
  await expect(manage.create(principal, 'One', { field: 'email' })).rejects.toThrow('filter.type');
  await expect(manage.create(principal, 'One', { ...filter, field: 'contact.properties.plan' })).rejects.toThrow(
    'does not exist',
  );
  expect((await manage.create(principal, 'One', {})).filter).toBeNull();
});
