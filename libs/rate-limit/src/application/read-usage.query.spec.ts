import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InProcessRateLimiter } from '../infrastructure/in-process-rate-limiter.js';
import { SendingUsage } from './ports/team-limits.port.js';
import { ReadUsage } from './read-usage.query.js';

it('reports what a team has used of each limit, and when the periods end', async () => {
  const teamId = newId();
  const clock = new FakeClock(new Date('2026-12-31T23:00:00Z'));
  const usage = { daily: { sent: 3, received: 1 }, monthly: { sent: 30, received: 10 } };
  const counters = {
    read: async (team: string, at: Date) => {
      expect([team, at]).toEqual([teamId, clock.now()]);
      return usage;
    },
  } as unknown as SendingUsage;
  const limits = { daily: 100, monthly: undefined };
  const limiter = new InProcessRateLimiter(7, clock);
  expect(await new ReadUsage(counters, limits, limiter, clock).read(teamId)).toEqual({
    usage,
    limits,
    resetsAt: { daily: new Date('2027-01-01T00:00:00Z'), monthly: new Date('2027-01-01T00:00:00Z') },
    requestsPerSecond: 7,
  });
});
