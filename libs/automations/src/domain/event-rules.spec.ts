import { expect, it } from '@jest/globals';
import { parseRule } from '#kernel';
import type { Rule } from '#kernel';
import { maxComparisons, passes } from './event-rules.js';

const rule = (value: string, leaves = 1): Rule =>
  parseRule(
    'The rule',
    {
      type: 'or',
      rules: Array.from({ length: leaves }, () => ({ type: 'rule', field: 'event.plan', operator: 'eq', value })),
    },
    ['event.'],
  );

it('an event passes rules on its payload, and no rule at all', () => {
  expect([rule('pro'), rule('free'), null].map((each) => passes(each, { plan: 'pro' }))).toEqual([true, false, true]);
});

it('a rule is looked at once for an event', () => {
  let reads = 0;
  const payload = {
    get plan() {
      reads++;
      return 'pro';
    },
  };
  const pro = rule('pro');
  expect([passes(pro, payload), passes(pro, payload), reads]).toEqual([true, true, 1]);
});

it('an event passes no rule after many comparisons', () => {
  const payload = { plan: 'pro' };
  for (let no = 0; no < maxComparisons / 50; no++) expect(passes(rule('free', 50), payload)).toBe(false);
  expect([passes(rule('pro'), payload), passes(rule('pro'), { plan: 'pro' })]).toEqual([false, true]);
});
