import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryConsents } from '../../../../test/support/fakes/in-memory-consents.js';
import { ChangePreferences } from './change-preferences.use-case.js';

const address = 'ada@sink.test';
let consents: InMemoryConsents;
let change: ChangePreferences;
const token = (topicId: string | null = 'news') => consents.tokens.of({ teamId: 'team', topicId, address });

beforeEach(() => {
  consents = new InMemoryConsents();
  consents.addTopic('news', 'opt_in');
  consents.addTopic('tips', 'opt_out');
  change = new ChangePreferences(consents.tokens, consents.preferences, consents.changeConsent);
});

describe('a link', () => {
  it('unsubscribes from its topic, for its team and address', async () => {
    await change.unsubscribe(token(), 'one-click');
    expect(consents.changes).toEqual([
      { teamId: 'team', address, source: 'one-click', topics: [{ topicId: 'news', subscription: 'opt_out' }] },
    ]);
  });

  it('without a topic unsubscribes from all mail', async () => {
    await change.unsubscribe(token(null), 'link');
    expect(consents.changes).toEqual([{ teamId: 'team', address, source: 'link', unsubscribed: true }]);
  });

  it('of a deleted topic does nothing', async () => {
    await change.unsubscribe(token('gone'), 'one-click');
    expect(consents.changes).toEqual([]);
  });

  it('that is not valid changes nothing', async () => {
    for (const attempt of [
      () => change.unsubscribe('x', 'link'),
      () => change.unsubscribeFromAll('x'),
      () => change.resubscribe('x'),
      () => change.choose('x', new Set(['news']), new Set()),
    ])
      await expect(attempt()).rejects.toThrow('Link not found');
    expect(consents.changes).toEqual([]);
  });
});

it('subscribing again takes back the refusal of all mail and of the topic', async () => {
  await change.unsubscribe(token(), 'link');
  await change.unsubscribeFromAll(token());
  await change.resubscribe(token());
  expect([consents.unsubscribed, consents.topics[0]?.subscription]).toEqual([false, 'opt_in']);
});

describe('choosing topics', () => {
  it('changes those that were shown and differ, and no other', async () => {
    await change.choose(token(), new Set(['news', 'tips', 'foreign']), new Set(['tips', 'foreign']));
    expect(consents.changes[0]?.topics).toEqual([
      { topicId: 'news', subscription: 'opt_out' },
      { topicId: 'tips', subscription: 'opt_in' },
    ]);
    await change.choose(token(), new Set(['tips']), new Set(['tips']));
    expect(consents.changes).toHaveLength(1);
  });

  it('means wanting mail again, where one is chosen', async () => {
    await change.unsubscribeFromAll(token());
    await change.choose(token(), new Set(['news', 'tips']), new Set());
    expect(consents.unsubscribed).toBe(true);
    await change.choose(token(), new Set(['news', 'tips']), new Set(['news']));
    expect([consents.unsubscribed, consents.topics.map((topic) => topic.subscription)]).toEqual([
      false,
      ['opt_in', 'opt_out'],
    ]);
  });
});
