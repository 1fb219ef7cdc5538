import { describe, expect, it } from '@jest/globals';
import { countsBefore, measuredRates, noOutcomes, OutcomeHour, ratesOver, volumeOf, worstOf } from './evidence.js';
import { decide, minHoldMs, untestedMs } from './guard-decision.js';
import { GuardSettings, GuardStep, restrictionOf } from './guard-limits.js';
import { effectOf, reasonOf } from './guard-texts.js';

const now = new Date('2026-11-20T14:20:00Z');
const settings: GuardSettings = {
  mode: 'on',
  minVolume: 200,
  limits: {
    complaint_rate: [0.1, 0.3, 0.5, 1, 3],
    bad_address_rate: [5, 8, 10, 20, 40],
    spam_refusal_rate: [1, 3, 10, 25, 50],
  },
};
const hour = (fields: Partial<OutcomeHour>, ago = 0): OutcomeHour => ({
  ...noOutcomes,
  hour: new Date(Math.floor(now.getTime() / 3_600_000 - ago) * 3_600_000),
  ...fields,
});
const judged = (
  hours: readonly OutcomeHour[],
  step: GuardStep = 'none',
  heldMs = 0,
  more: Partial<GuardSettings> = {},
) => {
  const rules = { ...settings, ...more };
  const rates = measuredRates(hours, undefined, now, rules);
  return decide({ step, since: new Date(now.getTime() - heldMs) }, rates, volumeOf(hours, undefined, now), now, rules);
};
const spam = (refused: number, delivered: number): OutcomeHour =>
  hour({ delivered, bounced: refused, refusedAsSpam: refused });

describe('evidence', () => {
  it('three bounces of ten pause nobody, and neither do four complaints of two hundred', () => {
    expect(judged([hour({ delivered: 7, bounced: 3, badAddresses: 3 })])).toBeUndefined();
    expect(judged([hour({ delivered: 200, complained: 4 })])).toBeUndefined();
    expect(judged([hour({ delivered: 100, bounced: 90, badAddresses: 90 })])).toBeUndefined();
  });

  it('counts with the share that is certain, not with the one that was found', () => {
    // 3.1 % of a thousand is at least 2.2 %.
    expect(judged([spam(31, 969)])).toEqual({ step: 'warned', because: 'evidence' });
    expect(judged([spam(50, 950)])).toEqual({ step: 'bulk_slowed', because: 'evidence' });
    expect(judged([spam(310, 9_690)])).toEqual({ step: 'warned', because: 'evidence' });
    expect(judged([spam(3_400, 96_600)])).toEqual({ step: 'bulk_slowed', because: 'evidence' });
  });

  it('goes back a day for refusals and three days for complaints', () => {
    const old = [hour({ delivered: 500, bounced: 500, refusedAsSpam: 500, complained: 50 }, 30)];
    expect(measuredRates(old, undefined, now, settings).map(({ count }) => count)).toEqual([50, 0, 0]);
    expect(
      measuredRates([{ ...(old[0] as OutcomeHour), hour: hour({}, 80).hour }], undefined, now, settings)[0]?.count,
    ).toBe(0);
  });

  it('since a step only what came after it counts, to the message', () => {
    const hours = [hour({ delivered: 900, bounced: 100, refusedAsSpam: 100 }, 1), spam(60, 540)];
    const start = { from: now, before: { ...noOutcomes, delivered: 500, bounced: 50, refusedAsSpam: 50 } };
    const [, , rate] = measuredRates(hours, start, now, settings);
    expect(rate).toMatchObject({ count: 10, of: 50 });
    expect(countsBefore(hours, now)).toEqual({ ...noOutcomes, delivered: 540, bounced: 60, refusedAsSpam: 60 });
  });

  it('is compared with hours before', () => {
    const [, , rate] = ratesOver([hour({ delivered: 99, bounced: 1, refusedAsSpam: 1 }, 99), spam(1, 99)], settings);
    expect(rate).toMatchObject({ count: 2, of: 200, percent: 1 });
  });
});

describe('the next step', () => {
  it('goes to a pause of bulk mail at once, and past it only one by one', () => {
    const awful = [spam(900, 100)];
    expect(judged(awful)?.step).toBe('bulk_paused');
    expect(judged(awful, 'warned')?.step).toBe('bulk_paused');
    expect(judged(awful, 'bulk_paused')?.step).toBe('all_slowed');
    expect(judged(awful, 'all_slowed')?.step).toBe('all_paused');
    expect(judged(awful, 'all_paused', minHoldMs)).toBeUndefined();
  });

  it('goes no further than a warning where the operator wants only these, and nowhere where it is off', () => {
    expect(judged([spam(900, 100)], 'none', 0, { mode: 'warn' })?.step).toBe('warned');
    expect(judged([spam(900, 100)], 'none', 0, { mode: 'off' })).toBeUndefined();
  });

  it('is taken back one by one once rates are low, not before half an hour', () => {
    const fine = [spam(1, 499)];
    expect(judged(fine, 'bulk_slowed', minHoldMs - 1)).toBeUndefined();
    expect(judged(fine, 'bulk_slowed', minHoldMs)).toEqual({ step: 'warned', because: 'recovery' });
    expect(judged(fine, 'warned', minHoldMs)).toEqual({ step: 'none', because: 'recovery' });
    // Less than what called for it, and still too much.
    expect(judged([spam(12, 488)], 'bulk_slowed', minHoldMs)).toBeUndefined();
  });

  it('is taken back after a day without enough mail to tell', () => {
    const little = [spam(20, 20)];
    expect(judged(little, 'bulk_paused', untestedMs - 1)).toBeUndefined();
    expect(judged(little, 'bulk_paused', untestedMs)).toEqual({ step: 'bulk_slowed', because: 'time' });
    expect(judged([], 'none', untestedMs)).toBeUndefined();
  });
});

it.each<[GuardStep, number | undefined, number | undefined]>([
  ['none', undefined, undefined],
  ['warned', undefined, undefined],
  ['bulk_slowed', 50, undefined],
  ['bulk_paused', 0, undefined],
  ['all_slowed', 0, 50],
  ['all_paused', 0, 0],
])('at %s bulk mail may have %s an hour, and other mail %s', (step, bulk, all) => {
  expect([restrictionOf(step, 'bulk', 50), restrictionOf(step, 'all', 50)]).toEqual([bulk, all]);
});

it('says what was measured, and what follows', () => {
  const rates = measuredRates([spam(52, 948)], undefined, now, settings);
  expect(worstOf(rates)).toBe('bulk_slowed');
  expect(reasonOf(rates)).toBe(
    '52 of 1000 messages (5.2%) were refused as spam or because the sender is not trusted: at least 3.99% with 95% certainty, ' +
      'where the limit is 3%.',
  );
  expect(reasonOf([])).toBe('');
  expect(effectOf('bulk_slowed', 'acme.test', 'google', 100)).toBe(
    'Bulk mail of acme.test to Google goes at 100 messages an hour.',
  );
});
