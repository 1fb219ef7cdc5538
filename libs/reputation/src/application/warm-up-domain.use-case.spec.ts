import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId, NotFoundError, ValidationError } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';

import { InMemoryWarmUps } from '../../../../test/support/fakes/in-memory-warm-ups.js';
import { TestClock } from '../../../../test/support/fakes/test-clock.js';
import { defaultSchedule } from '../domain/warm-up.js';
import { ReadWarmUp } from './read-warm-up.query.js';
import { WarmUpDomain } from './warm-up-domain.use-case.js';

const [teamId, domainId] = [newId(), newId()];
const member = Principal.ofUser({ id: newId(), teamId, role: 'owner', isOperator: false });
const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner', isOperator: false });
const domains = { find: async (team: string) => (team === teamId ? { domain: { id: domainId } } : undefined) };
let warmUps: InMemoryWarmUps;
let warmUpDomain: WarmUpDomain;
let reading: ReadWarmUp;
const clock = new TestClock();

beforeEach(() => {
  warmUps = new InMemoryWarmUps();
  warmUpDomain = new WarmUpDomain(new InMemoryUnitOfWork(), domains as never, warmUps, clock);
  reading = new ReadWarmUp(domains as never, warmUps, clock);
});

it('a domain warms up with the default schedule until it is ended', async () => {
  await warmUpDomain.start(member, domainId);
  const running = { schedule: defaultSchedule, startedAt: clock.now(), endedAt: undefined };
  expect((await reading.of(teamId, domainId)).warmUp).toMatchObject(running);
  await warmUpDomain.end(member, domainId);
  expect((await reading.of(teamId, domainId)).warmUp).toMatchObject({ endedAt: clock.now() });
  await expect(warmUpDomain.end(member, domainId)).rejects.toThrow(NotFoundError);
});

it('a warm-up that runs gets another schedule', async () => {
  await warmUpDomain.start(member, domainId);
  clock.advance(1_000);
  await warmUpDomain.start(member, domainId, [10, 20, 20]);
  expect((await reading.of(teamId, domainId)).warmUp).toMatchObject({ schedule: [10, 20, 20] });
});

it.each([[[]], [[0]], [[1.5]], [[50, 40]], [[10_000_001]], [Array.from({ length: 91 }, () => 50)]])(
  'the schedule %j is no ramp',
  async (...[schedule]) => {
    await expect(warmUpDomain.start(member, domainId, schedule)).rejects.toThrow(ValidationError);
  },
);

it("another team's domain is not found", async () => {
  await expect(warmUpDomain.start(stranger, domainId)).rejects.toThrow(NotFoundError);
  await warmUpDomain.start(member, domainId);
  await expect(warmUpDomain.end(stranger, domainId)).rejects.toThrow(NotFoundError);
});
