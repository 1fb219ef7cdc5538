import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { RecipientConsents } from './recipient-consents.query.js';

it('the choice of a contact counts before the default of the topic, and a topic that is gone counts for nothing', async () => {
  const audience = new InMemoryAudience();
  const { teamId } = audience;
  const [news, offers] = [audience.addTopic('opt_in'), audience.addTopic('opt_out')];
  await audience.add('ada@x.test', {
    patch: { unsubscribed: true },
    topics: [{ topicId: news, subscription: 'opt_out' }],
  });
  const asked = [
    { teamId, address: 'ADA@x.test', topicId: news },
    { teamId, address: 'ada@x.test', topicId: offers },
    { teamId, address: 'nobody@x.test', topicId: news },
    { teamId, address: 'nobody@x.test', topicId: null },
    { teamId, address: 'ada@x.test', topicId: newId() },
    { teamId: newId(), address: 'ada@x.test', topicId: news },
  ];
  const consents = new RecipientConsents(audience.subscriptions);
  expect(await consents.of(asked)).toEqual([
    { unsubscribed: true, subscription: 'opt_out' },
    { unsubscribed: true, subscription: 'opt_out' },
    { unsubscribed: false, subscription: 'opt_in' },
    { unsubscribed: false, subscription: null },
    { unsubscribed: true, subscription: null },
    { unsubscribed: false, subscription: null },
  ]);
  expect(await consents.of([])).toEqual([]);
});
