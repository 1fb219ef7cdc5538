import { expect, it } from '@jest/globals';
import {
  daysFrom,
  metricDefinitions,
  readDomains,
  readDomainStats,
  readGrantError,
  readToken,
} from './google-answers.js';

const stat = (metric: string, value: unknown, day: unknown = 3, month: unknown = 11): object => ({
  name: 'domains/acme.test/domainStats/opaque',
  metric,
  value,
  date: { year: 2026, month, day },
});

it('asks for each share by its name', () => {
  expect(metricDefinitions).toHaveLength(18);
  expect(metricDefinitions).toContainEqual({
    name: 'rejected_low_ip_reputation',
    baseMetric: { standardMetric: 'DELIVERY_ERROR_RATE' },
    filter: 'error_type = "reject" AND error_reason = "low_ip_reputation"',
  });
  expect(metricDefinitions[0]).toEqual({ name: 'spam', baseMetric: { standardMetric: 'SPAM_RATE' } });
});

it('adds up the figures of a day, and leaves out what it does not understand', () => {
  const body = JSON.stringify({
    domainStats: [
      stat('spf', { doubleValue: 0.998 }, 4),
      stat('spam', { doubleValue: 0.0004 }),
      stat('dkim', { floatValue: 1 }),
      stat('dmarc', { intValue: '0' }),
      ...[
        stat('made_up', { doubleValue: 1 }),
        stat('__proto__', { doubleValue: 1 }),
        stat('spf', { doubleValue: 1.5 }),
      ],
      ...[
        stat('spf', { doubleValue: -1 }),
        stat('spf', { stringValue: '<b>1</b>' }),
        stat('spf', { doubleValue: 1 }, 31),
      ],
      ...[stat('spf', { doubleValue: 1 }, '3'), { metric: 'spf', value: { doubleValue: 1 } }, null, 7, 'spf', [[]]],
    ],
    nextPageToken: 'more',
  });
  const page = readDomainStats(body);
  expect(page?.nextPage).toBe('more');
  expect(daysFrom(page?.items ?? [])).toEqual([
    { day: '2026-11-03', shares: { spam: 0.0004, dkim: 1, dmarc: 0 } },
    { day: '2026-11-04', shares: { spf: 0.998 } },
  ]);
});

it('knows which domains may be read', () => {
  const domains = [
    { name: 'domains/Acme.test', permission: 'READER', verificationState: 'VERIFIED' },
    { name: 'domains/old.test' },
    { name: 'domains/none.test', permission: 'NONE' },
    { name: 'domains/new.test', permission: 'OWNER', verificationState: 'UNVERIFIED' },
    ...[{ name: 'domains/a b' }, { name: 'domains/../x' }, { name: 7 }, null],
  ];
  expect(readDomains(JSON.stringify({ domains }))).toEqual({ items: ['acme.test', 'old.test'], nextPage: undefined });
  expect(readDomains('{}')).toEqual({ items: [], nextPage: undefined });
});

it('reads tokens and refusals', () => {
  expect(readToken('{"access_token":"ya29.abc","expires_in":3599}')).toBe('ya29.abc');
  expect(readToken('{"access_token":"a\\r\\nx: y"}')).toBeUndefined();
  expect(readGrantError('{"error":"invalid_grant","error_description":"Invalid JWT Signature."}')).toBe(
    'invalid_grant',
  );
  expect(readGrantError('{"error":"<script>"}')).toBeUndefined();
});

it.each(['', '<html>Sign in</html>', '[]', 'null', '{"domainStats":'])('%s is no page', (body) => {
  for (const read of [readDomains, readDomainStats]) {
    const page = read(body);
    expect(page === undefined || page.items.length === 0).toBe(true);
  }
  expect([readToken(body), readGrantError(body)]).toEqual([undefined, undefined]);
});
