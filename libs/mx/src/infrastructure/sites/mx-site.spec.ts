import { expect, test } from '@jest/globals';
import type { DeliveryOutcome } from '#delivery';
import { SmtpFailure, SmtpReply } from '#smtp-client';
import { SiteThrottle } from './mx-site.js';

let now = 0;
const make = () =>
  new SiteThrottle({ name: 'some', connections: 8, messagesPerConnection: 10, messagesPerMinute: 600 }, () => now);
const delivered: DeliveryOutcome = { kind: 'delivered', detail: { durationMs: 1 } };
const deferred = (replyCode: number, enhancedCode: string, replyText: string): DeliveryOutcome => ({
  kind: 'deferred',
  reason: replyText,
  outcomeUnknown: false,
  detail: { replyCode, enhancedCode, replyText, durationMs: 1 },
});
const limitsOf = (throttle: SiteThrottle) => [throttle.connectionLimit, throttle.rate.perMinute];

test.each<[string, DeliveryOutcome, number[]]>([
  ['421', deferred(421, '4.3.2', 'Service not available'), [1, 300]],
  ['4.7.x', deferred(450, '4.7.28', 'Unusual rate of mail'), [1, 300]],
  ['greylisting', deferred(450, '4.7.1', 'Greylisted, come back later'), [8, 600]],
  ['a sender that is not accepted', deferred(450, '4.7.1', 'Sender address rejected: Domain not found'), [8, 600]],
  ['a full mailbox', deferred(452, '4.2.2', 'Mailbox full'), [8, 600]],
])('limits after %s', (_, outcome, limits) => {
  const throttle = make();
  throttle.learnFrom(outcome, false);
  expect(limitsOf(throttle)).toEqual(limits);
});

test('a refused connection narrows the connections but not the rate', () => {
  const throttle = make();
  const reply = new SmtpReply(421, '4.7.0', ['Too many connections']);
  throttle.connectFailed(new SmtpFailure('refused', 'banner', 'refused', reply));
  throttle.learnFrom(deferred(421, '4.7.0', 'Too many connections'), true);
  expect(limitsOf(throttle)).toEqual([1, 600]);
});

test('successful messages widen narrowed limits, up to their initial value', () => {
  const throttle = make();
  now += 10_000;
  throttle.learnFrom(deferred(421, '4.7.0', 'Slow down'), false);
  for (let message = 0; message < 2_000; message++) throttle.learnFrom(delivered, false);
  expect(limitsOf(throttle)).toEqual([8, 600]);
  expect(throttle.budget.limit).toBe(8);
});

test('new figures of the operator replace the initial ones', () => {
  const throttle = make();
  throttle.profile = { name: 'own', connections: 3, messagesPerConnection: 5, messagesPerMinute: 60 };
  expect([...limitsOf(throttle), throttle.budget.limit]).toEqual([3, 60, 3]);
});
