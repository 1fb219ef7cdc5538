import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryFanOut } from '../../../../test/support/fakes/in-memory-fan-out.js';

let rig: InMemoryFanOut;
beforeEach(() => {
  rig = new InMemoryFanOut();
});

const limits = { maxBouncePercent: 5, maxComplaintPercent: 1 };
const subjectsSent = (): string[] => [...rig.sending.emails.byId.values()].map(({ email }) => email.subject);

it('the rest follows the first share after its time', async () => {
  const { run } = rig.start({
    segmentId: rig.segment(10).id,
    options: { firstShare: { percent: 20, waitMinutes: 30, ...limits } },
  });
  await rig.drain();
  expect([rig.addressees.length, run.status]).toEqual([2, 'queued']);
  rig.clock.advance(31 * 60_000);
  await rig.drain();
  expect([rig.addressees.length, run.status]).toEqual([10, 'sent']);
});

it('or once somebody resumes it', async () => {
  const { run } = rig.start({
    segmentId: rig.segment(10).id,
    options: { firstShare: { contacts: 3, waitMinutes: null, ...limits } },
  });
  await rig.drain();
  expect([rig.addressees.length, run.because]).toEqual([3, 'first_share_sent']);
  run.status = 'queued';
  await rig.drain();
  expect([rig.addressees.length, run.status]).toEqual([10, 'sent']);
});

it('is not sent where the pause could not be written', async () => {
  const { run } = rig.start({
    segmentId: rig.segment(10).id,
    options: { firstShare: { contacts: 3, waitMinutes: null, ...limits } },
  });
  const pause = rig.runs.pause.bind(rig.runs);
  rig.runs.pause = async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  };
  await expect(rig.drain()).rejects.toThrow('terminating connection');
  rig.runs.pause = pause;
  await rig.drain();
  expect([rig.addressees.length, run.because]).toEqual([3, 'first_share_sent']);
});

it.each([
  ['bounced', 'too_many_bounces'],
  ['complained', 'too_many_complaints'],
] as const)('and does not follow where too many have %s', async (what, reason) => {
  const { run } = rig.start({
    segmentId: rig.segment(10).id,
    options: { firstShare: { contacts: 5, waitMinutes: 30, ...limits } },
  });
  await rig.drain();
  run[what] = 1;
  await rig.run.watchShares();
  expect(run).toMatchObject({ status: 'paused', because: reason });
  expect(rig.addressees).toHaveLength(5);
});

it('a first share is held while it is sent, and whoever resumes it has decided', async () => {
  const { run } = rig.start({
    segmentId: rig.segment(3_000).id,
    options: { firstShare: { contacts: 2_000, waitMinutes: 0, ...limits } },
  });
  await rig.run.step();
  await rig.run.step();
  const sent = rig.addressees.length;
  Object.assign(run, { delivered: 94, bounced: 6 });
  await rig.drain();
  expect([run.because, rig.addressees.length]).toEqual(['too_many_bounces', sent]);
  expect(sent).toBeLessThan(2_000);
  Object.assign(run, { status: 'queued', because: null });
  await rig.drain();
  await rig.drain();
  expect([run.status, rig.addressees.length]).toEqual(['sent', 3_000]);
});

it('the subject that has won goes to the rest, and the first one where none has', async () => {
  const options = { test: { subjects: ['B'], sharePercent: 40, waitMinutes: 1, winner: 'opens' as const } };
  const { run } = rig.start({ segmentId: rig.segment(10).id, subject: 'A', options });
  await rig.drain();
  expect(subjectsSent().sort()).toEqual(['A', 'A', 'B', 'B']);
  const tested = run.waves.flatMap(({ contacts }) => contacts).find(({ variant }) => variant === 1);
  run.engaged.push({ contactId: tested?.id ?? '', kind: 'opened' });
  rig.clock.advance(61_000);
  await rig.drain();
  expect(subjectsSent().filter((subject) => subject === 'B')).toHaveLength(8);
  expect(run.scores).toEqual([0, 1]);
  const draw = rig.start({ segmentId: rig.segment(10).id, subject: 'A', options });
  await rig.drain();
  rig.clock.advance(61_000);
  await rig.drain();
  expect(draw.run.winner).toBe(0);
});

it('decides nothing about a broadcast that is gone or has nobody waiting', async () => {
  const { work } = rig.start({ segmentId: rig.segment(1).id });
  await rig.run.fixAudience(work);
  expect(await rig.run.decideRest(work)).toBe(false);
  expect(await rig.run.decideRest({ ...work, teamId: newId() })).toBe(false);
});
