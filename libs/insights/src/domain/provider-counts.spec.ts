import { describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { largeProviderOf, maxSites } from './mailbox-provider.js';
import {
  CountedOutcome,
  countsOf,
  KnownSites,
  siteKey,
  timeLimits,
  timeQuantile,
  withoutAddresses,
} from './provider-counts.js';

const domainId = newId();
const hour = new Date('2026-11-20T14:00:00Z');
const none: KnownSites = new Map();
const outcome = (fields: Partial<CountedOutcome>): CountedOutcome => ({
  teamId: newId(),
  domainId,
  hour,
  receiver: 'mx.example.net',
  event: 'delivered',
  category: null,
  tls: null,
  time: null,
  isTest: false,
  count: 1,
  reply: null,
  emailId: null,
  ...fields,
});
const counted = (outcomes: readonly CountedOutcome[], known = none) => countsOf(outcomes, (name) => name, known);

it('equal outcomes are added up, each under its kinds, with the last reply as an example', () => {
  const emailId = newId();
  const { days, hours } = counted([
    outcome({ count: 3, tls: 'mta-sts', time: 2 }),
    outcome({ count: 2, tls: 'none', time: 2 }),
    outcome({ event: 'bounced', category: 'content', reply: '550 spam', emailId: newId() }),
    outcome({ event: 'bounced', category: 'content', reply: '550 5.7.1 spam <ada@x.test>', emailId, count: 4 }),
    outcome({ event: 'bounced', category: 'bad-address' }),
    outcome({ event: 'deferred', category: 'reputation' }),
    outcome({ event: 'complained' }),
    outcome({ event: 'opened' }),
    outcome({ event: 'unsubscribed' }),
  ]);
  expect(Object.fromEntries(days.map(({ kind, count }) => [kind, count]))).toEqual({
    delivered: 5,
    'tls/verified': 3,
    'tls/none': 2,
    'time/2': 5,
    'bounced/content': 5,
    'bounced/bad-address': 1,
    'deferred/reputation': 1,
    complained: 1,
    opened: 1,
    unsubscribed: 1,
  });
  const content = days.find(({ kind }) => kind === 'bounced/content');
  expect(content).toMatchObject({ day: '2026-11-20', reply: '550 5.7.1 spam [address]', emailId });
  expect(days.find(({ kind }) => kind === 'delivered')).toMatchObject({ reply: null, emailId: null });
  expect(hours).toMatchObject([
    { hour, delivered: 5, deferred: 1, bounced: 6, badAddresses: 1, refusedAsSpam: 6, complained: 1 },
  ]);
});

it('each domain, hour and provider has its own counts, and hours of a day share its counts', () => {
  const later = new Date('2026-11-20T15:00:00Z');
  const { days, hours } = counted([
    outcome({}),
    outcome({ hour: later }),
    outcome({ receiver: 'google' }),
    outcome({ domainId: newId() }),
  ]);
  expect(days.map(({ count }) => count)).toEqual([2, 1, 1]);
  expect(hours).toHaveLength(4);
});

it('sites beyond the first fifty of a day are counted together, large providers never', () => {
  const known = new Map([[siteKey(domainId, '2026-11-20'), new Set(['known.test'])]]);
  const sites = Array.from({ length: 80 }, (_, no) => outcome({ receiver: `site${no}.test` }));
  const { days } = counted([...sites, outcome({ receiver: 'known.test' }), outcome({ receiver: 'google' })], known);
  const others = days.find(({ provider }) => provider === 'others');
  expect(days.filter(({ provider }) => provider.includes('.'))).toHaveLength(maxSites);
  expect(others?.count).toBe(80 - (maxSites - 1));
  expect(days.map(({ provider }) => provider)).toEqual(expect.arrayContaining(['known.test', 'google']));
});

it('mail to test addresses is counted apart, and says nothing about a reputation', () => {
  const { days, hours } = counted([outcome({ receiver: 'resend.dev', isTest: true })]);
  expect([days.map(({ provider }) => provider), hours]).toEqual([['test-addresses'], []]);
});

describe('a reply for people to read', () => {
  it.each([
    ['550 5.1.1 <ada@x.test>: no such user', '550 5.1.1 [address] no such user'],
    ['550 <b>bold</b>\u0000\u001b[31m\r\nred \u202eevil\ufeff', '550 <b>bold</b> [31m red evil'],
    [`550 ${'x'.repeat(5_000)}`, `550 ${'x'.repeat(296)}`],
  ])('%j', (reply, expected) => {
    expect(withoutAddresses(reply)).toBe(expected);
  });
});

it.each([
  ['gmail-smtp-in.l.google.com', 'google'],
  ['@gmail.com', 'google'],
  ['acme-com.mail.protection.outlook.com', 'microsoft'],
  ['mta7.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'apple'],
  ['notgoogle.com', undefined],
  ['@l.google.com', undefined],
])('%s belongs to %s', (receiver, provider) => {
  expect(largeProviderOf(receiver)).toBe(provider);
});

it('finds the time within which a part was delivered', () => {
  const counts = new Map([
    [0, 50],
    [3, 40],
    [6, 10],
  ]);
  expect(timeQuantile(counts, 0.5)).toBe(1);
  expect(timeQuantile(counts, 0.9)).toBe(10);
  expect(timeQuantile(counts, 0.95)).toBe(45);
  expect(timeQuantile(counts, 1)).toBe(60);
});

it('knows nothing without deliveries, and no more than the last limit', () => {
  expect(timeQuantile(new Map(), 0.5)).toBeUndefined();
  expect(timeQuantile(new Map([[timeLimits.length, 3]]), 0.95)).toBe(172_800);
});
