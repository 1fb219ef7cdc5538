import { expect, it } from '@jest/globals';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { maxTopics } from '../domain/topic.js';
import { Topics } from './topics.use-case.js';

const topic = { name: 'News', description: null, defaultSubscription: 'opt_in', visibility: 'private' } as const;

it('topics are created, changed and removed by their team alone, with one event for each change', async () => {
  const audience = new InMemoryAudience();
  const { topics, removals, events, work, clock, teamId, principal } = audience;
  const manage = new Topics(topics, removals, events, work, clock);
  const id = await manage.create(principal, topic);
  for (const name of ['Other', 'Other']) await manage.update(principal, id, { name, visibility: 'public' });
  await expect(manage.update(audience.stranger, id, { name: 'X' })).rejects.toThrow('Topic not found');
  await expect(manage.remove(audience.stranger, id)).rejects.toThrow('Topic not found');
  await expect(manage.create(audience.sender, topic)).rejects.toThrow();
  await manage.remove(principal, id);
  expect(events.types).toEqual(['topic.created', 'topic.updated', 'topic.deleted']);
  expect(events.committed[1]?.data).toMatchObject({ previous_attributes: { name: 'News', visibility: 'private' } });
  expect(removals.added).toEqual([{ kind: 'topic', teamId, subjectId: id }]);
});

it('a team has a limited number of topics', async () => {
  const audience = new InMemoryAudience();
  const { topics, removals, events, work, clock } = audience;
  for (let n = 0; n < maxTopics; n++) audience.addTopic();
  const manage = new Topics(topics, removals, events, work, clock);
  await expect(manage.create(audience.principal, topic)).rejects.toThrow('at most');
  expect(events.types).toEqual([]);
});
