import { expect, it } from '@jest/globals';
import { newId, NotFoundError } from '#kernel';
import { InMemoryWarmUps } from '../../../../test/support/fakes/in-memory-warm-ups.js';
import { TestClock } from '../../../../test/support/fakes/test-clock.js';
import { ReadWarmUp } from './read-warm-up.query.js';

const [teamId, domainId] = [newId(), newId()];

it('shows the warm-up of a domain with its providers, to its team', async () => {
  const clock = new TestClock();
  const warmUps = new InMemoryWarmUps();
  const domains = { find: async (team: string) => (team === teamId ? { domain: { id: domainId } } : undefined) };
  const reading = new ReadWarmUp(domains as never, warmUps, clock);
  expect(await reading.of(teamId, domainId)).toMatchObject({ warmUp: undefined, providers: [] });
  await warmUps.start({ domainId, teamId, schedule: [50, 100], startedAt: clock.now(), endedAt: undefined });
  await warmUps.take({ domainId, provider: 'google' }, 7, clock.now());
  const { warmUp, providers } = await reading.of(teamId, domainId);
  expect(warmUp?.schedule).toEqual([50, 100]);
  expect(providers).toMatchObject([{ provider: 'google', ramp: { step: 0, daySent: 7, hourSent: 7 } }]);
  await expect(reading.of(newId(), domainId)).rejects.toThrow(NotFoundError);
});
