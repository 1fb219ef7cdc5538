import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryGuards } from '../../../../test/support/fakes/in-memory-guards.js';
import { noOutcomes, OutcomeHour } from '../domain/evidence.js';
import { GuardSettings, GuardStep } from '../domain/guard-limits.js';
import { WatchReputation } from './watch-reputation.use-case.js';

const minute = 60_000;
const pair = { teamId: newId(), domainId: newId(), provider: 'google' };
const settings: GuardSettings = {
  mode: 'on',
  minVolume: 200,
  limits: {
    complaint_rate: [0.1, 0.3, 0.5, 1, 3],
    bad_address_rate: [5, 8, 10, 20, 40],
    spam_refusal_rate: [1, 3, 10, 25, 50],
  },
};
let guards: InMemoryGuards;
let clock: FakeClock;
let watch: WatchReputation;

beforeEach(() => {
  guards = new InMemoryGuards();
  clock = new FakeClock(new Date('2026-11-20T14:20:00Z'));
  const { states, outcomes, announcements } = guards;
  watch = new WatchReputation(new InMemoryUnitOfWork(), states, outcomes, { settings }, announcements, clock);
});

/** So many messages of the present hour, of which some were refused as spam. */
function counted(refused: number, delivered: number, at = clock.now()): void {
  const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
  const same = guards.outcomes.given.find((of) => of.hour.getTime() === hour.getTime());
  const added: OutcomeHour = {
    ...noOutcomes,
    hour,
    delivered: (same?.delivered ?? 0) + delivered,
    bounced: (same?.bounced ?? 0) + refused,
    refusedAsSpam: (same?.refusedAsSpam ?? 0) + refused,
  };
  guards.outcomes.given = [...guards.outcomes.given.filter((of) => of !== same), added];
}

async function look(): Promise<GuardStep | undefined> {
  await watch.lookAtNext();
  return (await guards.states.lock(pair.domainId, pair.provider))?.step;
}

/** What was under way at the last change has ended. */
async function settled(): Promise<void> {
  clock.advance(minute);
  await look();
}

async function lookAfterBad(refused: number, delivered: number): Promise<GuardStep | undefined> {
  counted(refused, delivered);
  await guards.states.touch([pair]);
  return look();
}

it('looks at nothing where nothing bad happened', async () => {
  expect(await watch.lookAtNext()).toBe(false);
  expect(await lookAfterBad(1, 999)).toBeUndefined();
});

it('takes a step with its evidence and likely cause, and tells the team', async () => {
  const weekAgo = new Date(clock.now().getTime() - 3 * 24 * 3_600_000);
  counted(1, 999, weekAgo);
  const broadcast = { kind: 'broadcast' as const, id: newId(), name: 'November offers' };
  guards.outcomes.common = { bad: 50, all: 1_000, suspects: [{ ...broadcast, bad: 49, all: 500 }] };
  guards.outcomes.refusals = [{ category: 'content', count: 50, reply: '550 spam', emailId: null }];
  expect(await lookAfterBad(50, 950)).toBe('bulk_slowed');
  expect(guards.states.history).toMatchObject([
    { from: 'none', to: 'bulk_slowed', because: 'evidence', actor: { kind: 'service' } },
  ]);
  expect(guards.events.committed).toMatchObject([
    {
      type: 'domain.reputation_changed',
      teamId: pair.teamId,
      data: {
        id: pair.domainId,
        name: 'acme.test',
        provider: 'google',
        direction: 'worse',
        step: 'bulk_slowed',
        reason: expect.stringContaining('50 of 1000 messages (5%) were refused as spam'),
        cause: { type: 'broadcast', id: broadcast.id, name: 'November offers', percent: 9.8, others_percent: 0.2 },
        replies: [{ reply: '550 spam' }],
      },
    },
  ]);
  const [notice] = [...guards.notices.sent.values()];
  expect(notice).toMatchObject({ to: 'owner@acme.test', subject: 'Mail of acme.test is in trouble' });
  expect(notice?.text).toContain('The likely cause is the broadcast "November offers"');
  const state = await guards.states.lock(pair.domainId, pair.provider);
  expect(state).toMatchObject({
    slowPace: 100,
    evidence: { earlier: [{}, {}, { count: 1, of: 1_000, percent: 0.1 }] },
  });
});

it('does not hold mail against what follows that was under way at the change', async () => {
  expect(await lookAfterBad(50, 950)).toBe('bulk_slowed');
  clock.advance(minute / 2);
  expect(await lookAfterBad(400, 0)).toBe('bulk_slowed');
  clock.advance(minute);
  await look();
  clock.advance(30 * minute);
  counted(0, 300);
  expect(await look()).toBe('warned');
});

it('goes further only with new evidence, tells one team once in an hour, and the operator of a pause', async () => {
  expect(await lookAfterBad(50, 950)).toBe('bulk_slowed');
  await settled();
  expect(await lookAfterBad(0, 10)).toBe('bulk_slowed');
  expect(await lookAfterBad(150, 100)).toBe('bulk_paused');
  await settled();
  expect(await lookAfterBad(200, 100)).toBe('all_slowed');
  expect(guards.states.history.map(({ to }) => to)).toEqual(['all_slowed', 'bulk_paused', 'bulk_slowed']);
  const notices = [...guards.notices.sent.values()];
  expect(notices.map(({ to }) => to ?? 'operator')).toEqual(['owner@acme.test', 'operator']);
});

it('a warning forgives nothing: more of the same calls for the next step', async () => {
  expect(await lookAfterBad(20, 480)).toBe('warned');
  expect(await lookAfterBad(30, 470)).toBe('bulk_slowed');
});

it('the slow pace is a tenth of the busiest hour', async () => {
  counted(0, 50_000, new Date(clock.now().getTime() - 5 * 3_600_000));
  expect(await lookAfterBad(4_000, 30_000)).toBe('bulk_slowed');
  expect(await guards.states.lock(pair.domainId, pair.provider)).toMatchObject({ slowPace: 5_000 });
});

it('recovery takes back one step after the other, and tells so in the end', async () => {
  await lookAfterBad(150, 150);
  expect(await look()).toBe('bulk_paused');
  await settled();
  clock.advance(31 * minute);
  counted(0, 300);
  expect(await look()).toBe('bulk_slowed');
  clock.advance(31 * minute);
  counted(0, 300);
  expect(await look()).toBe('warned');
  clock.advance(31 * minute);
  expect(await look()).toBe('warned');
  clock.advance(31 * minute);
  counted(0, 300);
  expect(await look()).toBe('none');
  expect(guards.events.committed.map(({ data }) => (data as { direction: string }).direction)).toEqual([
    ...['worse', 'better', 'better', 'better'],
  ]);
  expect([...guards.notices.sent.values()].at(-1)?.subject).toBe('Mail of acme.test recovers');
});

it('a step that comes back within a day after it was lifted is locked', async () => {
  await lookAfterBad(50, 950);
  const state = await guards.states.lock(pair.domainId, pair.provider);
  if (state === undefined) throw new Error('no step');
  const lifted = {
    ...state,
    isSettled: true,
    step: 'none' as const,
    liftedAt: clock.now(),
    start: { from: clock.now(), before: noOutcomes },
  };
  await guards.states.save(lifted, { ...guards.states.history[0], because: 'lifted' } as never, clock.now());
  guards.outcomes.given = [];
  clock.advance(60 * minute);
  expect(await lookAfterBad(50, 950)).toBe('bulk_slowed');
  expect(await guards.states.lock(pair.domainId, pair.provider)).toMatchObject({ isLocked: true });
});
