import { expect, it, jest } from '@jest/globals';
import { aRequest, InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { ReleaseScheduled } from './release-scheduled.use-case.js';

it('an address that was suppressed since an email was scheduled gets none of it', async () => {
  const sending = new InMemorySending();
  const scheduledAt = new Date(sending.clock.now().getTime() + 60_000);
  const to = ['ada@sink.test', 'gone@sink.test'];
  const { id } = await sending.acceptEmails.send(sending.principal, aRequest({ to, scheduledAt }));
  sending.suppressed.set('gone@sink.test', 'complaint');
  sending.clock.advance(60_000);
  expect(await new ReleaseScheduled(sending.scheduled, sending.clock).release()).toBe(1);
  expect(sending.queue.enqueued.map(({ emailId, address }) => [emailId, address])).toEqual([[id, 'ada@sink.test']]);
  const events = await sending.repository.events(sending.teamId, id, 0, 10);
  expect(events.map(({ type, recipient }) => [type, recipient])).toEqual([
    ['email.scheduled', null],
    ['email.sent', 'ada@sink.test'],
    ['email.suppressed', 'gone@sink.test'],
  ]);
});

it('a batch that was not full is the last of a run, and a run ends', async () => {
  const sending = new InMemorySending();
  const release = jest.spyOn(sending.scheduled, 'release').mockResolvedValueOnce(500).mockResolvedValue(3);
  expect(await new ReleaseScheduled(sending.scheduled, sending.clock).release()).toBe(503);
  expect(release).toHaveBeenCalledTimes(2);
  release.mockResolvedValue(500);
  expect(await new ReleaseScheduled(sending.scheduled, sending.clock).release()).toBe(25_000);
});
