import { beforeEach, expect, it } from '@jest/globals';
import { ReadDomains } from '#domains';
import { MissingPermissionError, Principal } from '#identity';
import { newId, NotFoundError } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryGuards } from '../../../../test/support/fakes/in-memory-guards.js';
import { noOutcomes } from '../domain/evidence.js';
import { GuardState } from '../domain/guard-state.js';
import { GuardLockedError, LiftGuard } from './lift-guard.use-case.js';

const [teamId, domainId] = [newId(), newId()];
const member = Principal.ofUser({ id: newId(), teamId, role: 'developer', isOperator: false });
const operator = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner', isOperator: true });
let guards: InMemoryGuards;
let clock: FakeClock;
let liftGuard: LiftGuard;

beforeEach(async () => {
  guards = new InMemoryGuards();
  clock = new FakeClock(new Date('2026-11-20T14:20:00Z'));
  const domains = {
    find: async (team: string) => (team === teamId ? { domain: {} } : undefined),
  } as never as ReadDomains;
  const { states, outcomes, announcements } = guards;
  liftGuard = new LiftGuard(new InMemoryUnitOfWork(), domains, states, outcomes, announcements, clock);
  outcomes.given = [{ ...noOutcomes, hour: new Date('2026-11-20T14:00:00Z'), delivered: 90, bounced: 10 }];
  await put({});
});

async function put(fields: Partial<GuardState>): Promise<void> {
  const state: GuardState = {
    teamId,
    domainId,
    provider: 'google',
    step: 'bulk_paused',
    since: clock.now(),
    slowPace: 100,
    start: { from: clock.now(), before: noOutcomes },
    evidence: undefined,
    liftedAt: undefined,
    isLocked: false,
    isSettled: true,
    ...fields,
  };
  await guards.states.save(state, {} as never, clock.now());
  guards.states.history.length = 0;
}

it('a member lifts a step: mail goes as usual, what was counted is forgiven, and it stays known who did it', async () => {
  await liftGuard.lift(member, domainId, 'google');
  expect(await guards.states.lock(domainId, 'google')).toMatchObject({
    step: 'none',
    liftedAt: clock.now(),
    start: { from: clock.now(), before: { delivered: 90, bounced: 10 } },
  });
  expect(guards.states.history).toMatchObject([
    { from: 'bulk_paused', to: 'none', because: 'lifted', actor: member.actor },
  ]);
  expect(guards.events.committed).toMatchObject([{ data: { direction: 'better', because: 'lifted' } }]);
  expect(guards.notices.sent.size).toBe(0);
});

it('a step that came back is lifted by the operator alone', async () => {
  await put({ isLocked: true });
  await expect(liftGuard.lift(member, domainId, 'google')).rejects.toThrow(GuardLockedError);
  await expect(liftGuard.liftAsOperator(member, domainId, 'google')).rejects.toThrow(MissingPermissionError);
  await liftGuard.liftAsOperator(operator, domainId, 'google');
  expect((await guards.states.lock(domainId, 'google'))?.step).toBe('none');
});

it("another team's domain, another provider and a step that is no more are not found", async () => {
  const other = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner', isOperator: false });
  await expect(liftGuard.lift(other, domainId, 'google')).rejects.toThrow(NotFoundError);
  await expect(liftGuard.lift(member, domainId, 'yahoo')).rejects.toThrow(NotFoundError);
  await put({ step: 'none' });
  await expect(liftGuard.lift(member, domainId, 'google')).rejects.toThrow(NotFoundError);
});
