import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { ReadContacts } from './read-contacts.query.js';

let audience: InMemoryAudience;
let read: ReadContacts;
beforeEach(() => {
  audience = new InMemoryAudience();
  const { contacts, properties, segments, history } = audience;
  read = new ReadContacts(contacts, properties, segments, history, inMemoryFilters(audience).members);
});

it('a contact is found by id and by address in any case, with the values of properties that exist', async () => {
  const { id: propertyId } = audience.properties.add(audience.teamId, {
    key: 'plan',
    type: 'string',
    fallbackValue: null,
  });
  const id = await audience.add('ada@x.test', { patch: { properties: { plan: 'pro' } } });
  expect((await read.find(audience.teamId, 'ADA@x.test')).contact.id).toBe(id);
  expect((await read.find(audience.teamId, id.toUpperCase())).properties).toEqual({
    plan: { type: 'string', value: 'pro' },
  });
  audience.properties.rows.delete(propertyId);
  expect((await read.find(audience.teamId, id)).properties).toEqual({});
  await expect(read.find(newId(), id)).rejects.toThrow('Contact not found');
});

it('a search looks at the beginning of the address and the names', async () => {
  for (const [email, firstName, lastName] of [
    ['ada@x.test', 'Grace', 'Hopper'],
    ['eve@x.test', 'Ada', 'Lovelace'],
  ] as const) {
    await audience.add(email, { patch: { firstName, lastName } });
  }
  const found = async (text: string) =>
    (await read.list(audience.teamId, { limit: 10 }, text)).items.map(({ email }) => email);
  expect(await found(' ADA ')).toEqual(['eve@x.test', 'ada@x.test']);
  expect(await found('ada love')).toEqual(['eve@x.test']);
  await expect(found('x'.repeat(321))).rejects.toThrow('search');
});

it('the members of an unknown segment are not found', async () => {
  await expect(read.ofSegment(audience.teamId, newId(), { limit: 1 }, undefined)).rejects.toThrow('Audience not found');
  await expect(read.requireSegment(audience.teamId, 'nonsense')).rejects.toThrow('Audience not found');
});

it('the history of a contact that never was is not found', async () => {
  const id = await audience.add('ada@x.test');
  expect((await read.history(audience.teamId, 'ada@x.test', { limit: 5 })).items).toMatchObject([{ contactId: id }]);
  await expect(read.history(audience.teamId, newId(), { limit: 5 })).rejects.toThrow('Contact not found');
});
