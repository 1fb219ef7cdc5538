import { expect, it } from '@jest/globals';
import { ContactRepository } from './ports/contact-repository.port.js';
import { SubscriptionRepository, TopicRepository } from './ports/topic-repository.port.js';
import { Preferences } from './preferences.query.js';

const topic = (id: string, visibility: string, defaultSubscription = 'opt_in') => ({
  id,
  name: id,
  description: null,
  visibility,
  defaultSubscription,
});
const news = topic('news', 'public');
const tips = topic('Tips', 'public', 'opt_out');
const hidden = topic('hidden', 'private');
const secret = topic('secret', 'private');
const chosen = new Map([
  ['news', 'opt_out'],
  ['hidden', 'opt_in'],
]);
const all = [secret, hidden, tips, news];

const preferences = new Preferences(
  {
    find: async (_: string, { email }: { email: string }) =>
      email === 'ada@sink.test' ? { id: 'ada', unsubscribed: true } : undefined,
  } as unknown as ContactRepository,
  { list: async () => ({ items: all, hasMore: false }) } as unknown as TopicRepository,
  {
    topicsOf: async () => ({
      items: all.map((one) => ({ id: one.id, topic: one, chosen: chosen.get(one.id) ?? null })),
      hasMore: false,
    }),
  } as unknown as SubscriptionRepository,
);

const shown = async (address: string, always: string | null) => {
  const { unsubscribed, topics } = await preferences.of('team', address, always);
  return [unsubscribed, ...topics.map(({ id, subscription }) => `${id} ${subscription}`)];
};

it('a contact sees public topics and those it opted in to, by name, with its own choices', async () => {
  expect(await shown('Ada@Sink.test', null)).toEqual([true, 'hidden opt_in', 'news opt_out', 'Tips opt_out']);
});

it('an address that is no contact sees public topics with their defaults, and the topic that it got', async () => {
  expect(await shown('eve@sink.test', 'secret')).toEqual([false, 'news opt_in', 'secret opt_in', 'Tips opt_out']);
});
