import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../../test/support/fakes/in-memory-filtered-contacts.js';

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
