import { expect, it } from '@jest/globals';
import { InMemoryConsents } from '../../../../test/support/fakes/in-memory-consents.js';
import { SenderProfiles } from './ports/unsubscribing.port.js';
import { ReadPreferences } from './read-preferences.query.js';

const consents = new InMemoryConsents();
consents.addTopic('news', 'opt_in');
const sender = { name: 'Acme', isOwnName: false, logo: null, accentColor: null };
const senders = {
  find: async (teamId: string) => (teamId === 'team' ? sender : undefined),
} as unknown as SenderProfiles;
const read = new ReadPreferences(consents.tokens, consents.preferences, senders);
const link = { teamId: 'team', topicId: 'news', address: 'ada@sink.test' };

it('a link shows what its recipient gets, and who sends it', async () => {
  expect(await read.of(consents.tokens.of(link))).toEqual({
    link,
    sender,
    unsubscribed: false,
    topics: consents.topics,
    topic: consents.topics[0],
  });
  expect(await read.of(consents.tokens.of({ ...link, topicId: 'gone' }))).toMatchObject({ topic: undefined });
  expect(consents.changes).toEqual([]);
});

it('a link that is not valid shows nothing, and so does one of a team that is gone', async () => {
  expect(await read.of('x')).toBeUndefined();
  expect(await read.of(consents.tokens.of({ ...link, teamId: 'gone' }))).toBeUndefined();
});
