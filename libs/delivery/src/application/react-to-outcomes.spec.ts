import { beforeEach, expect, it } from '@jest/globals';
import { OutgoingEmails } from '#emails';
import type { RecipientChange } from '#emails';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { AddSuppression, NewSuppression } from '#suppressions';
import { DeliveryOutcome } from '../domain/delivery-outcome.js';
import { FinishedAttempt } from '../domain/finished-attempt.js';
import { ReactToOutcomes } from './react-to-outcomes.js';

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

async function react(...attempts: FinishedAttempt[]): Promise<void> {
  const emails = {
    record: async (changes: readonly RecipientChange[]) => void recorded.push(...changes),
    teamsOf: async () => new Map([[emailId, teamId]]),
  } as unknown as OutgoingEmails;
  const addSuppression = {
    execute: async (additions: readonly NewSuppression[]) => void suppressed.push(...additions),
  } as unknown as AddSuppression;
  const reaction = new ReactToOutcomes(emails, addSuppression);
  await new InMemoryUnitOfWork().run((transaction) => reaction.execute(attempts, now, transaction));
}

const badAddress: DeliveryOutcome = { kind: 'bounced', reason: 'unknown', category: 'bad-address', detail };

it('an address that does not exist is suppressed', async () => {
  await react(finished(badAddress));
  expect(suppressed).toEqual([{ teamId, email: 'ada@sink.test', origin: 'bounce', sourceId: emailId }]);
});

it('a complaint at delivery becomes an event and a suppression', async () => {
  await react(finished({ kind: 'delivered', complained: true, detail }));
  expect(recorded).toMatchObject([{ emailId, recipientNo: 0, event: 'email.complained', at: now }]);
  expect(suppressed).toMatchObject([{ origin: 'complaint', email: 'ada@sink.test' }]);
});

it('a delivery, a deferral and a bounce for another reason have no consequence', async () => {
  await react(
    finished({ kind: 'delivered', detail }),
    finished({ kind: 'deferred', reason: 'later', outcomeUnknown: false, detail }),
    finished({ kind: 'bounced', reason: 'full', category: 'mailbox-full', detail }),
  );
  expect([recorded, suppressed]).toEqual([[], []]);
});

it('an email that is forgotten suppresses nobody', async () => {
  await react(finished(badAddress, 'ada@sink.test', newId()));
  expect(suppressed).toEqual([]);
});
