import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

describe('screening recipients', () => {
  const screen = async (fields: object) =>
    (
      await sending.unitOfWork.run(async (transaction) =>
        sending.screening.screen([await sending.compose(fields)], transaction),
      )
    )[0];

  it('marks suppressed recipients, and the email where all recipients are suppressed', async () => {
    sending.suppressed.set('gone@sink.test', 'complaint');
    const some = await screen({ to: ['gone@sink.test', 'ada@sink.test'] });
    expect(some?.recipients.map(({ withheld }) => withheld?.data)).toMatchObject([
      { suppressed: { reason: 'previous_complaint' } },
      undefined,
    ]);
    expect(some?.email.lastEvent).toBe('sent');
    expect((await screen({ to: 'gone@sink.test' }))?.email.lastEvent).toBe('suppressed');
  });

  it('does not apply the suppression list to test addresses', async () => {
    sending.suppressed.set('delivered@postrider.test', 'bounce');
    expect((await screen({ to: 'delivered@postrider.test' }))?.recipients[0]?.withheld).toBeUndefined();
    expect((await screen({ to: 'suppressed@postrider.test' }))?.recipients[0]?.withheld).toBeDefined();
  });

  it('does not screen scheduled mail before it is due', async () => {
    sending.suppressed.set('gone@sink.test', 'manual');
    const scheduledAt = new Date(sending.clock.now().getTime() + 3_600_000);
    expect((await screen({ to: 'gone@sink.test', scheduledAt }))?.recipients[0]?.withheld).toBeUndefined();
  });

  describe('of an email with a topic', () => {
    const topicId = newId();
    const reasons = async (to: string | string[]) => {
      const accepted = await screen({ to, topicId });
      return [accepted?.email.lastEvent, ...(accepted?.recipients ?? []).map(({ withheld }) => withheld?.data)];
    };
    const failed = (reason: string) => ({ failed: { reason } });

    it('fails those who do not have it, each alone', async () => {
      sending.subscriptions.set(topicId, { unsubscribed: false, subscription: 'opt_in' });
      sending.subscriptions.set(`${topicId} no@sink.test`, { unsubscribed: false, subscription: 'opt_out' });
      sending.subscriptions.set(`${topicId} gone@sink.test`, { unsubscribed: true, subscription: 'opt_in' });
      expect(await reasons(['ada@sink.test', 'no@sink.test', 'gone@sink.test'])).toEqual([
        'sent',
        undefined,
        failed('not_subscribed'),
        failed('unsubscribed'),
      ]);
      expect(await reasons('no@sink.test')).toEqual(['failed', failed('not_subscribed')]);
    });

    it('tells of a suppressed address first', async () => {
      sending.subscriptions.set(topicId, { unsubscribed: false, subscription: 'opt_out' });
      sending.suppressed.set('gone@sink.test', 'bounce');
      expect(await reasons('gone@sink.test')).toMatchObject(['suppressed', { suppressed: {} }]);
    });

    it('refuses a topic that is not there, and sends to nobody where it is deleted afterwards', async () => {
      await expect(screen({ topicId })).rejects.toThrow('Topic not found');
      await expect(screen({ topicId: 'none' })).rejects.toThrow('`topic_id` must be a valid UUID');
      sending.subscriptions.set(topicId, { unsubscribed: false, subscription: 'opt_in' });
      expect(await reasons('ada@sink.test')).toEqual(['sent', undefined]);
      sending.subscriptions.clear();
      expect(await reasons('ada@sink.test')).toEqual(['failed', failed('topic_deleted')]);
    });
  });
});
