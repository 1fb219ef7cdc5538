import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { PreviewFilter, sampleSize } from './check-filter.query.js';

it('a filter may name what its team has, and nothing else', async () => {
  const audience = new InMemoryAudience();
  const { check } = inMemoryFilters(audience);
  const inTopic = (id: string): object => ({
    type: 'rule',
    field: `contact.topics.${id}`,
    operator: 'eq',
    value: 'opt_in',
  });
  const topicId = audience.addTopic();
  expect(await check.check(audience.teamId, inTopic(topicId))).toEqual({ kind: 'topic', topicId });
  await expect(check.check(newId(), inTopic(topicId))).rejects.toThrow('does not exist');
  await expect(check.check(audience.teamId, { type: 'rule' })).rejects.toThrow('filter.field');
});

it('a preview counts what matches and shows the newest of it', async () => {
  const audience = new InMemoryAudience();
  for (let no = 0; no < 25; no++) await audience.add(`user${no}@x.test`, { patch: { unsubscribed: no % 5 === 0 } });
  await audience.add('other@y.test');
  const { check, filtered } = inMemoryFilters(audience);
  const preview = new PreviewFilter(check, filtered);
  const at = (domain: string): object => ({
    type: 'rule',
    field: 'contact.email',
    operator: 'ends_with',
    value: domain,
  });
  const { contacts, subscribed, sample } = await preview.preview(audience.teamId, at('@X.test'));
  expect([contacts, subscribed]).toEqual([25, 20]);
  expect(sample).toHaveLength(sampleSize);
  expect(sample[0]?.email).toBe('user24@x.test');
  expect(await preview.preview(audience.teamId, at('@z.test'))).toEqual({
    contacts: 0,
    subscribed: 0,
    isEstimated: false,
    sample: [],
  });
});
