import { expect, it } from '@jest/globals';
import { filterJson, filterOf, ruleFor, withItem, type FieldKind, type FilterGroup } from './segment-filter.js';

const kinds: Record<string, FieldKind> = {
  'contact.email': 'text',
  'contact.properties.seats': 'number',
  'contact.opened': 'activity',
  'contact.unsubscribed': 'flag',
};
const kindOf = (field: string): FieldKind => kinds[field] ?? 'text';

it('a filter becomes JSON with values of the right type, and can be read again', () => {
  const filter: FilterGroup = {
    match: 'all',
    items: [
      { field: 'contact.email', operator: 'ends_with', value: ' @acme.test ' },
      { field: 'contact.properties.seats', operator: 'gte', value: '5' },
      { match: 'none', items: [ruleFor('contact.opened', 'activity'), ruleFor('contact.unsubscribed', 'flag')] },
    ],
  };
  const json = filterJson(filter, kindOf);
  expect(json).toEqual({
    type: 'and',
    rules: [
      { type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@acme.test' },
      { type: 'rule', field: 'contact.properties.seats', operator: 'gte', value: 5 },
      {
        type: 'not',
        rule: {
          type: 'or',
          rules: [
            { type: 'rule', field: 'contact.opened', operator: 'within_days', value: 30 },
            { type: 'rule', field: 'contact.unsubscribed', operator: 'eq', value: true },
          ],
        },
      },
    ],
  });
  expect(filterJson(filterOf(json), kindOf)).toEqual(json);
});

it('a field of a payload is compared with a value of the type that it looks like', () => {
  const valueOf = (operator: string, value: string): unknown =>
    filterJson({ field: 'event.total', operator, value }, () => 'any');
  const rule = { type: 'rule', field: 'event.total' };
  expect(valueOf('eq', '5')).toEqual({ ...rule, operator: 'eq', value: 5 });
  expect(valueOf('neq', 'true')).toEqual({ ...rule, operator: 'neq', value: true });
  expect(valueOf('eq', '"5"')).toEqual({ ...rule, operator: 'eq', value: '5' });
  expect(valueOf('eq', '5 euro')).toEqual({ ...rule, operator: 'eq', value: '5 euro' });
  expect(valueOf('gt', '5')).toEqual({ ...rule, operator: 'gt', value: 5 });
  expect(valueOf('contains', '5')).toEqual({ ...rule, operator: 'contains', value: '5' });
  expect(valueOf('gt', 'five')).toBeUndefined();
});

it('what is not complete has no JSON', () => {
  expect(filterJson({ match: 'any', items: [] }, kindOf)).toBeUndefined();
  expect(filterJson({ match: 'any', items: [ruleFor('contact.email', 'text')] }, kindOf)).toBeUndefined();
  const seats = { field: 'contact.properties.seats', operator: 'eq', value: 'many' };
  expect(filterJson({ match: 'any', items: [seats] }, kindOf)).toBeUndefined();
});

it('a filter that was made elsewhere is shown: a rule alone, and a negated one', () => {
  const rule = { type: 'rule', field: 'contact.email', operator: 'exists' };
  const shown = { field: 'contact.email', operator: 'exists', value: '' };
  expect(filterOf(rule)).toEqual({ match: 'all', items: [shown] });
  expect(filterOf({ type: 'not', rule })).toEqual({ match: 'none', items: [shown] });
});

it('another field keeps the operator where it can', () => {
  expect(ruleFor('contact.first_name', 'text', 'contains').operator).toBe('contains');
  expect(ruleFor('contact.opened', 'activity', 'contains')).toMatchObject({ operator: 'within_days', value: '30' });
  const group: FilterGroup = { match: 'all', items: [ruleFor('contact.email', 'text')] };
  expect(withItem(group, 0, undefined).items).toEqual([]);
});
