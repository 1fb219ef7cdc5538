import { GroupCommitMetrics, Metrics } from '#observability/metrics';
import type { Tracing } from '#observability/tracing';
import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { Email } from '../domain/email.js';
import { AcceptanceMetrics } from './acceptance-metrics.js';

let sending: InMemorySending;
beforeEach(() => {
  sending = new InMemorySending();
});

it('counts each email by the way it came in', async () => {
  const metrics = new Metrics();
  const observer = new AcceptanceMetrics({ isOn: false } as Tracing, new GroupCommitMetrics(metrics), metrics);
  const composed = await sending.compose();
  const emailWith = (fields: Partial<Email>, rest: Partial<AcceptedEmail> = {}): AcceptedEmail => ({
    ...composed,
    ...rest,
    email: { ...composed.email, ...fields },
  });
  const mime = { size: 1, bytes: new Uint8Array(1) };

  observer.committed(1, [
    emailWith({}),
    emailWith({}, { mime }),
    emailWith({ isBulk: true }),
    emailWith({ actor: { kind: 'service' }, forwardedFrom: newId() }, { mime }),
    emailWith({ actor: { kind: 'service' } }),
  ]);

  const text = await metrics.exposition();
  for (const door of ['http', 'smtp', 'broadcast', 'forward', 'notice']) {
    expect(text).toContain(`postrider_emails_accepted_total{door="${door}"} 1`);
  }
});
