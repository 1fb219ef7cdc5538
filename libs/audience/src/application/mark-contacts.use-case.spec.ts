import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { ContactMark, MarkContacts } from './mark-contacts.use-case.js';

it('contacts are marked with the latest bounce and complaint, once, and a complaint unsubscribes', async () => {
  const audience = new InMemoryAudience();
  const { contacts, recorder, clock, teamId, work } = audience;
  const id = await audience.add('ada@x.test');
  const mark = (...marks: Partial<ContactMark>[]) =>
    work.run((transaction) =>
      new MarkContacts(contacts, recorder, clock).mark(
        marks.map((one) => ({ teamId, address: 'Ada@x.test', kind: 'bounce', at: new Date(2_000), ...one })),
        transaction,
      ),
    );
  await mark({}, { at: new Date(1_000) }, { address: 'nobody@x.test' }, { teamId: newId() });
  expect(await contacts.find(teamId, { id })).toMatchObject({ bouncedAt: new Date(2_000), unsubscribed: false });
  await mark({});
  await mark({ kind: 'complaint', at: new Date(3_000) });
  expect(await contacts.find(teamId, { id })).toMatchObject({ complainedAt: new Date(3_000), unsubscribed: true });
  expect(audience.events.types).toEqual(['contact.created', 'contact.updated', 'contact.updated']);
  const { items } = await audience.history.list(teamId, id, { limit: 1 });
  expect(items).toMatchObject([{ source: 'feedback', actor: { kind: 'service' } }]);
});
