import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemorySending } from '../../../../../test/support/in-memory-sending.js';

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
    expect(some?.recipients.map(({ suppression }) => suppression?.reason)).toEqual(['previous_complaint', undefined]);
    expect(some?.email.lastEvent).toBe('sent');
    expect((await screen({ to: 'gone@sink.test' }))?.email.lastEvent).toBe('suppressed');
  });

  it('does not apply the suppression list to test addresses', async () => {
    sending.suppressed.set('delivered@postrider.test', 'bounce');
    expect((await screen({ to: 'delivered@postrider.test' }))?.recipients[0]?.suppression).toBeUndefined();
    expect((await screen({ to: 'suppressed@postrider.test' }))?.recipients[0]?.suppression).toBeDefined();
  });

  it('does not screen scheduled mail before it is due', async () => {
    sending.suppressed.set('gone@sink.test', 'manual');
    const scheduledAt = new Date(sending.clock.now().getTime() + 3_600_000);
    expect((await screen({ to: 'gone@sink.test', scheduledAt }))?.recipients[0]?.suppression).toBeUndefined();
  });
});
