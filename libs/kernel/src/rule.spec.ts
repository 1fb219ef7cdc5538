import { describe, expect, it } from '@jest/globals';
import { explained, holds, maxLeafRules, maxRuleDepth, parseRule } from './rule.js';

const parse = (rule: unknown): unknown => parseRule('The condition', rule, ['event.', 'contact.']);
const leaf = (operator: string, value?: unknown, field = 'event.plan'): unknown => ({
  type: 'rule',
  field,
  operator,
  value,
});
const nested = (depth: number): unknown => (depth === 1 ? leaf('exists') : { type: 'and', rules: [nested(depth - 1)] });

describe('the check of a rule', () => {
  it('takes a tree and drops unknown keys', () => {
    expect(parse({ type: 'or', rules: [{ ...(leaf('eq', 'pro') as object), note: 1 }, leaf('exists')] })).toEqual({
      type: 'or',
      rules: [
        { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
        { type: 'rule', field: 'event.plan', operator: 'exists' },
      ],
    });
  });

  it.each([
    [leaf('eq', ['pro']), '`eq` needs a string, a number, a boolean or null.'],
    [leaf('gt', '5'), '`gt` needs a number.'],
    [leaf('contains', 5), '`contains` needs a string.'],
    [leaf('like', 'x'), 'the `operator` must be one of'],
    [leaf('eq', 'x', 'order.plan'), 'must begin with `event.` or `contact.`.'],
    [{ type: 'and', rules: [] }, '`and` needs `rules`.'],
    [{ type: 'not' }, 'the `type` must be'],
    [null, 'must be an object'],
    [nested(maxRuleDepth + 1), 'at most 5 levels deep.'],
    [{ type: 'or', rules: Array.from({ length: maxLeafRules + 1 }, () => leaf('exists')) }, 'at most 50 rules.'],
  ])('refuses %j', (rule, message) => {
    expect(() => parse(rule)).toThrow(message);
  });

  it('refuses many leaves in several groups', () => {
    const group = { type: 'and', rules: Array.from({ length: 26 }, () => leaf('exists')) };
    expect(() => parse({ type: 'or', rules: [group, group] })).toThrow('at most 50 rules.');
  });

  it('takes the deepest tree', () => {
    expect(parse(nested(maxRuleDepth))).toBeDefined();
  });
});

describe('a rule', () => {
  const result = (operator: string, value: unknown, actual: unknown): boolean =>
    holds(parse(leaf(operator, value)) as never, () => actual);

  it.each([
    ['eq', 'Pro', 'pro', true],
    ['eq', 5, '5', false],
    ['eq', null, null, true],
    ['eq', null, undefined, false],
    ['neq', 'pro', undefined, true],
    ['neq', 'pro', 'PRO', false],
    ['gt', 5, 6, true],
    ['gt', 5, '6', false],
    ['gte', 5, 5, true],
    ['lt', 5, 5, false],
    ['lte', 5, 5, true],
    ['contains', 'R', 'pro', true],
    ['starts_with', 'p', 'pro', true],
    ['ends_with', 'p', 'pro', false],
    ['contains', 'x', 5, false],
    ['exists', undefined, null, false],
    ['exists', undefined, 0, true],
    ['is_empty', undefined, undefined, true],
    ['is_empty', undefined, '', true],
    ['is_empty', undefined, 0, false],
  ])('%s %j of %j is %j', (operator, value, actual, expected) => {
    expect(result(operator, value, actual)).toBe(expected);
  });

  it('combines rules', () => {
    const tree = (type: string): never => parse({ type, rules: [leaf('eq', 'pro'), leaf('eq', 'free')] }) as never;
    expect(holds(tree('or'), () => 'free')).toBe(true);
    expect(holds(tree('and'), () => 'free')).toBe(false);
  });
});

describe('why a rule holds or does not', () => {
  const values: Record<string, unknown> = { plan: 'Pro', total: 5, none: '', long: 'x'.repeat(200) };
  const why = (given: unknown): string =>
    explained(parseRule('It', given, ['event.']), (field) => values[field.slice('event.'.length)]);
  const rule = (name: string, operator: string, value?: unknown) => ({
    type: 'rule',
    field: `event.${name}`,
    operator,
    value,
  });

  it.each([
    [rule('plan', 'eq', 'pro'), 'event.plan is "Pro"'],
    [rule('plan', 'eq', 'free'), 'event.plan is "Pro", not "free"'],
    [rule('plan', 'neq', 'free'), 'event.plan is "Pro", not "free"'],
    [rule('plan', 'neq', 'pro'), 'event.plan is "Pro"'],
    [rule('gone', 'eq', 'pro'), 'event.gone is absent'],
    [rule('gone', 'is_empty'), 'event.gone is absent'],
    [rule('none', 'is_empty'), 'event.none is empty'],
    [rule('total', 'gt', 3), 'event.total is 5, which is more than 3'],
    [rule('total', 'gte', 6), 'event.total is 5, which is not at least 6'],
    [rule('plan', 'contains', 'ro'), 'event.plan is "Pro", which contains "ro"'],
    [rule('plan', 'starts_with', 'ro'), 'event.plan is "Pro", which does not start with "ro"'],
    [
      { type: 'and', rules: [rule('plan', 'eq', 'pro'), rule('total', 'lt', 3), rule('gone', 'exists')] },
      'event.total is 5, which is not less than 3',
    ],
    [{ type: 'or', rules: [rule('gone', 'exists'), rule('plan', 'eq', 'pro')] }, 'event.plan is "Pro"'],
    [
      { type: 'and', rules: [rule('total', 'lte', 5), rule('plan', 'ends_with', 'o')] },
      'event.total is 5, which is at most 5 and event.plan is "Pro", which ends with "o"',
    ],
  ])('%j: %s', (given, expected) => {
    expect(why(given)).toBe(expected);
  });

  it('is bounded', () => {
    const many = { type: 'and', rules: Array.from({ length: 50 }, () => rule('long', 'exists')) };
    expect(why(many).length).toBeLessThan(510);
  });
});
