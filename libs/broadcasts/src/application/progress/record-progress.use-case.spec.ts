import { expect, it } from '@jest/globals';
import { NoTransaction } from '../../../../../test/support/in-memory-broadcast-runs.js';
import { BroadcastEvent, BroadcastOutcomes } from '../ports/broadcast-outcomes.port.js';
import { RecordProgress } from './record-progress.use-case.js';

class RecordedOutcomes extends BroadcastOutcomes {
  readonly events: BroadcastEvent[] = [];

  async add(events: readonly BroadcastEvent[]): Promise<void> {
    this.events.push(...events);
  }
}

it('reads of each event what broadcasts count', async () => {
  const outcomes = new RecordedOutcomes();
  const createdAt = new Date(5);
  const record = (type: string, data: unknown = null): Promise<void> =>
    new RecordProgress(outcomes).execute([{ emailId: 'e', createdAt, type, data }], new NoTransaction());
  await record('email.sent');
  await record('email.delivered');
  await record('email.bounced', { bounce: { type: 'Permanent' } });
  await record('email.bounced', { bounce: {} });
  await record('email.opened', { open: { machine: true } });
  await record('email.clicked', { click: { link: 'https://a.test/' } });
  const nothing = { emailId: 'e', createdAt, isMachine: false, bounceType: null, link: null };
  expect(outcomes.events).toEqual([
    { ...nothing, kind: 'delivered' },
    { ...nothing, kind: 'bounced', bounceType: 'permanent' },
    { ...nothing, kind: 'bounced', bounceType: 'undetermined' },
    { ...nothing, kind: 'opened', isMachine: true },
    { ...nothing, kind: 'clicked', link: 'https://a.test/' },
  ]);
});
