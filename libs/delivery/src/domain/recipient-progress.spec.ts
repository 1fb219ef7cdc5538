import { expect, it } from '@jest/globals';
import { changeAfter, nextAttemptAt, retryHorizonMs } from './recipient-progress.js';
import { DeliveryOutcome, FinishedAttempt, suppresses } from './attempt.js';

const queuedAt = new Date('2026-11-21T00:00:00Z');
const minutesAfter = (moment: Date | undefined): number => ((moment?.getTime() ?? NaN) - queuedAt.getTime()) / 60_000;

it('waits minutes at first, for greylisting, and longer each time', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => minutesAfter(nextAttemptAt(attempt, queuedAt, queuedAt, 0.5)));
  expect(waits).toEqual([1, 3, 5, 10, 20, 30]);
});

it('spreads retries by up to a fifth in either direction', () => {
  expect(minutesAfter(nextAttemptAt(4, queuedAt, queuedAt, 0))).toBe(8);
  expect(minutesAfter(nextAttemptAt(4, queuedAt, queuedAt, 1))).toBe(12);
});

it('waits as long as the receiver requests', () => {
  expect(minutesAfter(nextAttemptAt(1, queuedAt, queuedAt, 0.5, 900))).toBe(15);
});

it('gives up after 48 hours, and after more than a dozen attempts', () => {
  let now = queuedAt;
  let attempts = 0;
  for (let next: Date | undefined = now; next !== undefined; next = nextAttemptAt(attempts, queuedAt, now, 0.5)) {
    now = next;
    attempts++;
  }
  expect(attempts).toBeGreaterThan(12);
  expect(now.getTime() - queuedAt.getTime()).toBeLessThanOrEqual(retryHorizonMs);
  expect(nextAttemptAt(4, queuedAt, new Date(queuedAt.getTime() + retryHorizonMs), 0.5)).toBeUndefined();
});

it('tries mail whose first attempt is late at least four times', () => {
  const late = new Date(queuedAt.getTime() + 3 * retryHorizonMs);
  expect([1, 2, 3, 4].map((attempt) => nextAttemptAt(attempt, queuedAt, late, 0.5) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

const now = new Date('2026-11-21T12:00:00Z');
const detail = { replyCode: 452, enhancedCode: '4.2.2', replyText: 'Mailbox full', durationMs: 3 };

function ended(outcome: DeliveryOutcome, retryAt?: Date): FinishedAttempt {
  const recipient = {
    emailId: 'e',
    teamId: 'team',
    domainId: 'domain',
    recipientNo: 2,
    address: 'a@b.test',
    size: 1,
    attempt: 1,
    lease: 1,
    queuedAt: now,
  };
  return { recipient, outcome, startedAt: now, retryAt };
}

const deferred: DeliveryOutcome = { kind: 'deferred', reason: 'Mailbox full', outcomeUnknown: false, detail };

it('a deferral that will be tried again is a delay', () => {
  expect(changeAfter(ended(deferred, now), now)).toMatchObject({
    emailId: 'e',
    recipientNo: 2,
    status: 'delayed',
    event: 'email.delivery_delayed',
  });
});

it('the last deferral is a transient bounce with the reply of the receiver', () => {
  expect(changeAfter(ended(deferred), now)).toMatchObject({
    status: 'bounced',
    event: 'email.bounced',
    data: { bounce: { type: 'Transient', diagnosticCode: ['smtp; 452 4.2.2 Mailbox full'] } },
  });
});

it('without any reply the bounce is undetermined', () => {
  const silent: DeliveryOutcome = { ...deferred, detail: { durationMs: 3 } };
  expect(changeAfter(ended(silent), now)).toMatchObject({
    data: { bounce: { type: 'Undetermined', diagnosticCode: [] } },
  });
});

it('a refusal is a permanent bounce, and an accepted message is a delivery', () => {
  const noSuchUser = { replyCode: 550, enhancedCode: '5.1.1', replyText: 'No such user', durationMs: 3 };
  const bounced: DeliveryOutcome = { kind: 'bounced', reason: 'No such user', detail: noSuchUser };
  expect(changeAfter(ended(bounced), now)).toMatchObject({
    status: 'bounced',
    data: { bounce: { type: 'Permanent' } },
  });
  expect(changeAfter(ended({ kind: 'delivered', detail }), now)).toMatchObject({
    event: 'email.delivered',
    data: null,
  });
});

it.each([
  ['bad-address', 'Permanent', 'NoEmail'],
  ['mailbox-full', 'Transient', 'MailboxFull'],
  ['too-large', 'Transient', 'MessageTooLarge'],
  ['content', 'Transient', 'ContentRejected'],
  ['attachment', 'Transient', 'AttachmentRejected'],
  ['reputation', 'Transient', 'General'],
  ['policy', 'Permanent', 'General'],
] as const)('a refusal for %s is %s, %s, and only a bad address suppresses', (category, type, subType) => {
  const outcome: DeliveryOutcome = { kind: 'bounced', reason: 'No', category, detail };
  expect(changeAfter(ended(outcome), now).data).toMatchObject({ bounce: { type, subType } });
  expect(suppresses(outcome)).toBe(category === 'bad-address');
});
