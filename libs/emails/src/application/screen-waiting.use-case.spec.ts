import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { ScreenWaiting } from './screen-waiting.use-case.js';

it('names those who are suppressed or want no bulk mail, also without a topic', async () => {
  const sending = new InMemorySending();
  const { teamId, suppressed, subscriptions, repository, screening, unitOfWork } = sending;
  suppressed.set('eve@sink.test', 'complaint');
  subscriptions.set('null bob@sink.test', { unsubscribed: true, subscription: null });
  const screen = new ScreenWaiting(repository, screening, unitOfWork);
  const waiting = ['ada', 'bob', 'eve'].map((name) => ({ emailId: newId(), teamId, address: `${name}@sink.test` }));
  expect(await screen.screen(waiting)).toMatchObject([
    undefined,
    { status: 'failed', data: { failed: { reason: 'unsubscribed' } } },
    { status: 'suppressed', data: { suppressed: { reason: 'previous_complaint' } } },
  ]);
});
