import { beforeEach, expect, it } from '@jest/globals';
import { OutgoingEmails } from '#emails';
import type { RecipientChange } from '#emails';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { Suppressions, NewSuppression } from '#suppressions';
import { DeliveryOutcome, FinishedAttempt } from '../domain/attempt.js';
import { DeliveryQueue, OutcomeLog, SettleBatch } from './ports/delivery-queue.port.js';
import { SettleAttempts } from './deliver-email.js';

const [teamId, emailId] = [newId(), newId()];
const now = new Date();
const detail = { durationMs: 1 };
let recorded: RecipientChange[];
let suppressed: NewSuppression[];

beforeEach(() => {
  recorded = [];
  suppressed = [];
});

function finished(outcome: DeliveryOutcome, address = 'ada@sink.test', of = emailId): FinishedAttempt {
  const claim = { attempt: 1, lease: 1, size: 1, queuedAt: now, domainId: newId() };
  const recipient = { emailId: of, teamId, recipientNo: 0, address, ...claim };
  return { recipient, outcome, startedAt: now, retryAt: undefined };
}

/** Settles each attempt at once, in a transaction of its own. */
class ImmediateLog extends OutcomeLog {
  inBatches(settle: SettleBatch) {
    return async (attempt: FinishedAttempt): Promise<void> => {
      await new InMemoryUnitOfWork().run((transaction) => settle([attempt], now, transaction));
    };
  }
}

async function settle(...attempts: FinishedAttempt[]): Promise<void> {
  const emails = {
    record: async (changes: readonly RecipientChange[]) => void recorded.push(...changes),
    teamsOf: async () => new Map([[emailId, teamId]]),
  } as unknown as OutgoingEmails;
  const suppressions = {
    add: async (additions: readonly NewSuppression[]) => void suppressed.push(...additions),
  } as unknown as Suppressions;
  const queue = {
    settle: async (_worker: string, ended: readonly FinishedAttempt[]) =>
      ended.filter(({ recipient }) => recipient.lease === 1),
  } as unknown as DeliveryQueue;
  const story = new SettleAttempts(new ImmediateLog(), queue, emails, suppressions, { id: 'worker' });
  for (const attempt of attempts) await story.settle(attempt);
}

const badAddress: DeliveryOutcome = { kind: 'bounced', reason: 'unknown', category: 'bad-address', detail };

it('an address that does not exist is suppressed', async () => {
  await settle(finished(badAddress));
  expect(suppressed).toEqual([{ teamId, email: 'ada@sink.test', origin: 'bounce', sourceId: emailId }]);
});

it('a complaint at delivery becomes an event and a suppression', async () => {
  await settle(finished({ kind: 'delivered', complained: true, detail }));
  expect(recorded).toMatchObject([
    { emailId, recipientNo: 0, event: 'email.delivered', at: now },
    { emailId, recipientNo: 0, event: 'email.complained', at: now },
  ]);
  expect(suppressed).toMatchObject([{ origin: 'complaint', email: 'ada@sink.test' }]);
});

it('a delivery, a deferral and a bounce for another reason are recorded and have no other consequence', async () => {
  await settle(
    finished({ kind: 'delivered', detail }),
    finished({ kind: 'deferred', reason: 'later', outcomeUnknown: false, detail }),
    finished({ kind: 'bounced', reason: 'full', category: 'mailbox-full', detail }),
  );
  expect(recorded.map(({ event }) => event)).toEqual(['email.delivered', 'email.bounced', 'email.bounced']);
  expect(suppressed).toEqual([]);
});

it('an email that is forgotten suppresses nobody', async () => {
  await settle(finished(badAddress, 'ada@sink.test', newId()));
  expect(suppressed).toEqual([]);
});

it('an attempt whose lease has passed to another worker changes nothing', async () => {
  const attempt = finished(badAddress);
  await settle({ ...attempt, recipient: { ...attempt.recipient, lease: 2 } });
  expect([recorded, suppressed]).toEqual([[], []]);
});
