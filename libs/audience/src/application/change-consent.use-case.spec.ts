import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { ChangeConsent } from './change-consent.use-case.js';

it('a recipient unsubscribes once, also where they are no contact yet, and the history says by which way', async () => {
  const audience = new InMemoryAudience();
  const change = new ChangeConsent(audience.upserts);
  const service = Principal.ofService(audience.teamId);
  const topicId = audience.addTopic();
  const id = await change.change(service, { address: 'Ada@x.test', unsubscribed: true, source: 'one-click' });
  const topics = [{ topicId, subscription: 'opt_out' as const }];
  await change.change(service, { address: 'ada@x.test', topics, source: 'link' });
  await change.change(service, { address: 'ada@x.test', unsubscribed: true, topics, source: 'link' });
  await change.change(service, { address: 'ada@x.test', unsubscribed: false, source: 'link' });
  expect(audience.events.types).toEqual(['contact.created', 'contact.topics.updated', 'contact.updated']);
  const { items } = await audience.history.list(audience.teamId, id, { limit: 10 });
  expect(items.map(({ type, source, actor }) => [type, source, actor.kind])).toEqual([
    ['updated', 'link', 'service'],
    ['topics_updated', 'link', 'service'],
    ['created', 'one-click', 'service'],
  ]);
  await expect(change.change(audience.sender, { address: 'a@x.test', source: 'link' })).rejects.toThrow();
});

it('each request by which a person gets less mail counts once as unsubscribing, with the email whose link was followed', async () => {
  const audience = new InMemoryAudience();
  const change = new ChangeConsent(audience.upserts);
  const service = Principal.ofService(audience.teamId);
  const address = 'ada@x.test';
  const [news, offers, closed] = [audience.addTopic(), audience.addTopic(), audience.addTopic('opt_out')];
  const refuse = (...ids: string[]) => ids.map((topicId) => ({ topicId, subscription: 'opt_out' as const }));
  await change.change(service, { address, topics: refuse(news, offers, closed), source: 'link', emailId: 'email' });
  await change.change(service, { address, topics: refuse(closed), source: 'link' });
  await change.change(service, { address, topics: refuse(news), source: 'one-click' });
  for (const unsubscribed of [true, true, false]) {
    await change.change(service, { address, unsubscribed, source: 'one-click' });
  }
  expect(audience.history.unsubscribes).toMatchObject([
    { emailId: 'email', source: 'link', topicIds: [news, offers] },
    { emailId: null, source: 'one-click', topicIds: [] },
  ]);
});

it('a team that adds somebody who wants no mail, and a complaint, count as no unsubscribing', async () => {
  const audience = new InMemoryAudience();
  const { teamId, principal, upserts } = audience;
  const request = { teamId, actor: principal.actor, segmentIds: [], topics: [] };
  await upserts.upsert({ ...request, source: 'api', email: 'a@x.test', patch: { unsubscribed: true } });
  await upserts.upsert({ ...request, source: 'api', email: 'b@x.test', patch: {} });
  await upserts.upsert({ ...request, source: 'feedback', email: 'b@x.test', patch: { unsubscribed: true } });
  expect(audience.history.unsubscribes).toEqual([]);
});
