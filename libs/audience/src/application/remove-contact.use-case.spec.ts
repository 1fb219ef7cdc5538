import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { RemoveContact } from './remove-contact.use-case.js';

it('a contact is removed with its groups, its history is to be removed, and its suppression is concealed', async () => {
  const audience = new InMemoryAudience();
  const { contacts, recorder, conceal, removals, work, clock, teamId } = audience;
  const remove = new RemoveContact(contacts, recorder, conceal, removals, work, clock);
  const segmentId = audience.addSegment();
  const id = await audience.add('ada@x.test', { segmentIds: [segmentId] });
  const suppression = {
    id: newId(),
    teamId,
    email: 'ada@x.test',
    origin: 'bounce',
    sourceId: null,
    createdAt: new Date(),
  } as const;
  await work.run((transaction) => audience.suppressions.add([suppression], transaction));

  await expect(remove.remove(audience.stranger, { id })).rejects.toThrow('Contact not found');
  expect(await remove.remove(audience.principal, { email: 'ada@x.test' })).toBe(id);
  expect(await remove.removeIfKnown(audience.principal, { id })).toBeUndefined();

  expect(audience.memberships.has(segmentId, id)).toBe(false);
  expect(await audience.suppressions.find(teamId, { emails: ['ada@x.test'] })).toBeUndefined();
  expect(audience.events.types).toEqual(['contact.created', 'contact.deleted']);
  expect(audience.events.committed[1]?.data).toMatchObject({ segment_ids: [segmentId] });
  const [removal] = removals.added;
  const { items } = await audience.history.list(teamId, id, { limit: 10 });
  const kept = items.filter((change) => removal?.kind === 'history' && change.id > removal.upTo);
  expect(kept.map(({ type }) => type)).toEqual(['deleted']);
});
