import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { aRequest, InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { ChangeSchedule } from './change-schedule.use-case.js';
import { ReleaseScheduled } from './release-scheduled.use-case.js';

const hourMs = 3_600_000;
let sending: InMemorySending;
let changeSchedule: ChangeSchedule;
let releaseScheduled: ReleaseScheduled;

beforeEach(() => {
  sending = new InMemorySending();
  changeSchedule = new ChangeSchedule(sending.scheduled, sending.repository, sending.clock);
  releaseScheduled = new ReleaseScheduled(sending.scheduled, sending.clock);
});

const inHours = (hours: number): Date => new Date(sending.clock.now().getTime() + hours * hourMs);

async function schedule(hours: number): Promise<string> {
  return (await sending.acceptEmails.send(sending.principal, aRequest({ scheduledAt: inHours(hours) }))).id;
}

it('an email is released when it is due, once', async () => {
  const id = await schedule(1);
  await schedule(3);
  expect(await releaseScheduled.release()).toBe(0);
  sending.clock.advance(2 * hourMs);
  expect(await releaseScheduled.release()).toBe(1);
  expect(await releaseScheduled.release()).toBe(0);
  expect(sending.queue.enqueued.map(({ emailId }) => emailId)).toEqual([id]);
});

it('all due emails are released, also more than one batch', async () => {
  await Promise.all(Array.from({ length: 501 }, () => schedule(1)));
  sending.clock.advance(2 * hourMs);
  expect(await releaseScheduled.release()).toBe(501);
  expect(sending.queue.enqueued).toHaveLength(501);
});

it('a rescheduled email is released at its new time', async () => {
  const id = await schedule(1);
  await changeSchedule.reschedule(sending.teamId, id, inHours(5));
  sending.clock.advance(2 * hourMs);
  expect(await releaseScheduled.release()).toBe(0);
  expect((await sending.repository.find(id))?.scheduledAt).toEqual(inHours(3));
});

it('a canceled email is never released', async () => {
  const id = await schedule(1);
  await changeSchedule.cancel(sending.teamId, id);
  sending.clock.advance(2 * hourMs);
  expect(await releaseScheduled.release()).toBe(0);
  expect((await sending.repository.find(id))?.lastEvent).toBe('canceled');
});

it('a released or unknown email, or one of another team, cannot be changed', async () => {
  const id = await schedule(1);
  await expect(changeSchedule.cancel(newId(), id)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(changeSchedule.reschedule(sending.teamId, newId(), inHours(1))).rejects.toMatchObject({
    kind: 'not_found',
  });
  await expect(changeSchedule.reschedule(sending.teamId, id, inHours(24 * 31))).rejects.toThrow('30 days');
  sending.clock.advance(2 * hourMs);
  await releaseScheduled.release();
  await expect(changeSchedule.cancel(sending.teamId, id)).rejects.toThrow('this one is sent');
});
