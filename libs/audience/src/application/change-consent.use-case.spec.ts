import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { InMemoryAudience } from '../../../../test/support/in-memory-audience.js';
import { ChangeConsent } from './change-consent.use-case.js';

it('a recipient unsubscribes once, also where they are no contact yet, and the history says by which way', async () => {
  const audience = new InMemoryAudience();
  const change = new ChangeConsent(audience.upserts);
  const service = Principal.ofService(audience.teamId);
  const topicId = audience.addTopic();
  const id = await change.execute(service, { address: 'Ada@x.test', unsubscribed: true, source: 'one-click' });
  const topics = [{ topicId, subscription: 'opt_out' as const }];
  await change.execute(service, { address: 'ada@x.test', topics, source: 'link' });
  await change.execute(service, { address: 'ada@x.test', unsubscribed: true, topics, source: 'link' });
  await change.execute(service, { address: 'ada@x.test', unsubscribed: false, source: 'link' });
  expect(audience.events.types).toEqual(['contact.created', 'contact.topics.updated', 'contact.updated']);
  const { items } = await audience.history.list(audience.teamId, id, { limit: 10 });
  expect(items.map(({ type, source, actor }) => [type, source, actor.kind])).toEqual([
    ['updated', 'link', 'service'],
    ['topics_updated', 'link', 'service'],
    ['created', 'one-click', 'service'],
  ]);
  await expect(change.execute(audience.sender, { address: 'a@x.test', source: 'link' })).rejects.toThrow();
});
