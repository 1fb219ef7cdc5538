import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryFanOut } from '../../../../../test/support/in-memory-fan-out.js';

let rig: InMemoryFanOut;
beforeEach(() => {
  rig = new InMemoryFanOut();
});

it('accepts an email for each contact that wants it, and says why the others get none', async () => {
  const { id: segmentId, contacts } = rig.segment(6);
  const [unsubscribed, undecided, suppressed, deleted, invalid, ada] = contacts.map((contact) => ({
    ...contact,
    subscription: 'opt_in' as const,
  }));
  for (const contact of [unsubscribed, undecided, suppressed, invalid, ada]) if (contact) rig.change(contact, contact);
  rig.change(unsubscribed as never, { unsubscribed: true });
  rig.change(undecided as never, { subscription: 'opt_out' });
  rig.sending.suppressed.set('2@sink.test', 'complaint');
  rig.audience.known.delete(deleted?.id ?? '');
  rig.change(invalid as never, { email: 'nobody@example.com' });
  const { work, run } = rig.start({ segmentId, topicId: newId() });
  await rig.drain();
  const reasons = new Map(run.results.map((result) => [result.contactId, 'reason' in result ? result.reason : 'sent']));
  expect(contacts.map(({ id }) => reasons.get(id))).toEqual([
    ...['unsubscribed', 'not_subscribed', 'suppressed', 'deleted', 'invalid', 'sent'],
  ]);
  const email = [...rig.sending.emails.byId.values()].find(({ email: { lastEvent } }) => lastEvent === 'sent');
  expect(email?.email).toMatchObject({ subject: 'Hi Name 5', mergeValues: { first_name: 'Name 5' } });
  expect(await rig.sendSlice.execute(work, 10)).toBe(false);
});

it('leaves nothing of a slice behind where it fails', async () => {
  const { work, run } = rig.start({ segmentId: rig.segment(3).id });
  await rig.fixAudience.execute(work);
  rig.runs.record = async () => {
    throw new Error('the database is gone');
  };
  await expect(rig.sendSlice.execute(work, 10)).rejects.toThrow('the database is gone');
  expect([rig.sending.emails.byId.size, run.results.length]).toEqual([0, 0]);
});

it('sends nothing of a broadcast that is paused, or gone', async () => {
  const { work, run } = rig.start({ segmentId: rig.segment(3).id });
  await rig.fixAudience.execute(work);
  run.status = 'paused';
  expect(await rig.sendSlice.execute(work, 10)).toBe(false);
  expect(await rig.sendSlice.execute({ ...work, broadcastId: newId() }, 10)).toBe(false);
  expect(rig.addressees).toEqual([]);
});
