import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { UpdateContact } from './update-contact.use-case.js';

let audience: InMemoryAudience;
let update: UpdateContact;
beforeEach(() => {
  audience = new InMemoryAudience();
  const { contacts, properties, recorder, work, clock } = audience;
  update = new UpdateContact(contacts, properties, recorder, work, clock);
});

it('sets what is given, with one event that has the old values, and who did it in the history', async () => {
  audience.properties.add(audience.teamId, { key: 'plan', type: 'string', fallbackValue: null });
  const id = await audience.add('ada@x.test', { patch: { firstName: 'Ada', properties: { plan: 'free' } } });
  const patch = { firstName: null, unsubscribed: true, properties: { plan: 'pro' } };
  expect(await update.update(audience.principal, { email: 'ada@x.test' }, patch)).toBe(id);
  expect(await update.update(audience.principal, { id }, patch)).toBe(id);
  const contact = await audience.contacts.find(audience.teamId, { id });
  expect(contact).toMatchObject({ firstName: null, unsubscribed: true, unsubscribedAt: audience.clock.now() });
  expect(audience.events.types).toEqual(['contact.created', 'contact.updated']);
  expect(audience.events.committed[1]?.data).toMatchObject({
    previous_attributes: { first_name: 'Ada', unsubscribed: false, properties: { plan: 'free' } },
  });
  const { items } = await audience.history.list(audience.teamId, id, { limit: 10 });
  expect(items.map(({ type, actor }) => [type, actor.kind])).toEqual([
    ['updated', 'api_key'],
    ['created', 'api_key'],
  ]);
});

it('refuses an address that another contact has, unknown properties, and contacts of others', async () => {
  const id = await audience.add('ada@x.test');
  await audience.add('eve@x.test');
  await expect(update.update(audience.principal, { id }, { email: 'eve@x.test' })).rejects.toThrow('Another contact');
  await expect(update.update(audience.principal, { id }, { properties: { no: 1 } })).rejects.toThrow('does not exist');
  await expect(update.update(audience.stranger, { id }, {})).rejects.toThrow('Contact not found');
  await expect(update.update(audience.sender, { id }, {})).rejects.toThrow();
});

it('several are updated together: each has its event, one after the other, and a refused one changes nothing', async () => {
  const [ada, eve] = [await audience.add('ada@x.test'), await audience.add('eve@x.test')];
  const updates = [
    { key: { id: ada }, patch: { firstName: 'Ada' } },
    { key: { id: eve }, patch: { firstName: 'Eve', properties: { no: 1 } } },
    { key: { id: newId() }, patch: { firstName: 'Nobody' } },
    { key: { id: ada }, patch: { lastName: 'Lovelace' } },
  ];
  const results = await audience.work.run((transaction) => update.updateIn(audience.principal, updates, transaction));
  expect(results.map((result) => ('error' in result ? (result.error as Error).message : result.value))).toEqual([
    ada,
    'The contact property `no` does not exist.',
    'Contact not found',
    ada,
  ]);
  expect(await audience.contacts.find(audience.teamId, { id: ada })).toMatchObject({
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  expect(await audience.contacts.find(audience.teamId, { id: eve })).toMatchObject({ firstName: null });
  expect(audience.events.committed.slice(2).map(({ data }) => data)).toMatchObject([
    { first_name: 'Ada', last_name: null },
    { first_name: 'Ada', last_name: 'Lovelace' },
  ]);
});
