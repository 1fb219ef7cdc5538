import { expect, it } from '@jest/globals';
import { scoreOf } from './domain-score.js';
import { KindCount, summaryOf } from './provider-summary.js';

const found = ['DKIM', 'SPF', 'SPF', 'DMARC'].map((kind) => ({ kind, isFound: true }));
const noReports = { messages: 0, aligned: 0 };
const counts = (kinds: Readonly<Record<string, number>>): KindCount[] =>
  Object.entries(kinds).map(([kind, count]) => ({
    provider: 'google',
    kind,
    count,
    reply: null,
    emailId: null,
  }));
const pointsOf = (kinds: Readonly<Record<string, number>>, records = found, dmarc = noReports) => {
  const score = scoreOf({ summary: summaryOf(counts(kinds)), records, dmarc });
  expect(score?.value).toBe(score?.parts.reduce((sum, { points }) => sum + points, 0));
  expect(score?.parts.reduce((sum, { max }) => sum + max, 0)).toBe(100);
  expect(score?.parts.every(({ points, max, fix }) => points < max === (fix !== null))).toBe(true);
  return [score?.value, ...(score?.parts.map(({ points }) => points) ?? [])];
};

it('is the sum of its parts, of which each loses points for what was seen', () => {
  expect(pointsOf({ delivered: 1_000, 'tls/opportunistic': 1_000 })).toEqual([100, 20, 25, 20, 20, 10, 5]);
  const poor = { delivered: 900, complained: 2, 'bounced/bad-address': 60, 'bounced/content': 40, 'tls/none': 450 };
  expect(pointsOf({ ...poor, 'tls/verified': 450 })).toEqual([53, 20, 8, 11, 4, 5, 5]);
  expect(pointsOf({ delivered: 1_000, complained: 3, 'bounced/bad-address': 200 })).toEqual([55, 20, 0, 0, 20, 10, 5]);
});

it('what was not measured counts in full and says so, and without mail there is no score', () => {
  const score = scoreOf({ summary: summaryOf(counts({ delivered: 9, complained: 9 })), records: [], dmarc: noReports });
  expect(score?.value).toBe(100);
  expect(score?.parts.filter(({ evidence }) => /^Not measured/.test(evidence))).toHaveLength(6);
  expect(scoreOf({ summary: summaryOf(counts({ opened: 3 })), records: found, dmarc: noReports })).toBeUndefined();
});

it('records that are missing and mail that fails DMARC cost points', () => {
  const records = [...found.filter(({ kind }) => kind !== 'SPF'), { kind: 'SPF', isFound: false }];
  expect(pointsOf({ delivered: 500 }, records, { messages: 100, aligned: 60 })).toEqual([93, 15, 25, 20, 20, 10, 3]);
});
