import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { ContactTopics } from './contact-topics.use-case.js';

let audience: InMemoryAudience;
let manage: ContactTopics;
beforeEach(() => {
  audience = new InMemoryAudience();
  const { contacts, topics, subscriptions, recorder, work, clock } = audience;
  manage = new ContactTopics(contacts, topics, subscriptions, recorder, work, clock);
});

it('a choice is written once, with one event', async () => {
  const topicId = audience.addTopic();
  const id = await audience.add('ada@x.test');
  const choices = [{ topicId, subscription: 'opt_out' as const }];
  for (const key of [id, 'ada@X.test']) expect(await manage.set(audience.principal, key, choices)).toBe(id);
  expect((await manage.topicsOf(audience.teamId, id, { limit: 5 })).items).toMatchObject([{ chosen: 'opt_out' }]);
  expect(audience.events.types).toEqual(['contact.created', 'contact.topics.updated']);
});

it('nothing is written where one of the topics is unknown, or the contact is', async () => {
  const topicId = audience.addTopic();
  const id = await audience.add('ada@x.test');
  const choices = [{ topicId, subscription: 'opt_out' as const }];
  const unknown = [...choices, { topicId: newId(), subscription: 'opt_in' as const }];
  await expect(manage.set(audience.principal, id, unknown)).rejects.toThrow('does not exist');
  await expect(manage.set(audience.principal, newId(), choices)).rejects.toThrow('Contact not found');
  await expect(manage.set(audience.sender, id, choices)).rejects.toThrow();
  expect((await manage.topicsOf(audience.teamId, id, { limit: 5 })).items).toMatchObject([{ chosen: null }]);
});
