import { expect, it } from '@jest/globals';
import { reasonToHold, ShareState } from './reasons.js';

const limits = { percent: 10, waitMinutes: null, maxBouncePercent: 5, maxComplaintPercent: 0.3 };
const state = (fields: Partial<ShareState>): ShareState => ({
  isReady: false,
  accepted: 10_000,
  delivered: 0,
  bounced: 0,
  complained: 0,
  isGuarded: false,
  pausedFor: [],
  ...fields,
});

it.each([
  ['one bounce among few', state({ delivered: 3, bounced: 1 }), undefined],
  ['nine in a hundred', state({ delivered: 91, bounced: 9 }), 'too_many_bounces'],
  ['as many as the limit', state({ delivered: 950, bounced: 50 }), undefined],
  ['one complaint among two hundred', state({ delivered: 200, complained: 1 }), undefined],
  ['two complaints among four hundred', state({ delivered: 400, complained: 2 }), 'too_many_complaints'],
  ['few emails, all accepted', state({ isReady: true, accepted: 5, delivered: 3, bounced: 1 }), 'too_many_bounces'],
  ['what somebody has decided', state({ delivered: 91, bounced: 9, pausedFor: ['too_many_bounces'] }), undefined],
  ['that the guard slows the domain', state({ isGuarded: true, delivered: 3 }), 'reputation_guard'],
  ['a guard that somebody has seen', state({ isGuarded: true, pausedFor: ['reputation_guard'] }), undefined],
  [
    'another limit than the one decided',
    state({ delivered: 391, bounced: 29, complained: 9, pausedFor: ['too_many_bounces'] }),
    'too_many_complaints',
  ],
] as const)('%s', (_, given, reason) => {
  expect(reasonToHold(limits, given)).toBe(reason);
});

it('where none is allowed, the first one holds it', () => {
  const none = { ...limits, maxComplaintPercent: 0 };
  expect(reasonToHold(none, state({ delivered: 100, complained: 1 }))).toBe('too_many_complaints');
  expect(reasonToHold(none, state({ delivered: 99, complained: 1 }))).toBeUndefined();
});
