import { expect, it } from '@jest/globals';
import { checkReferences } from './check-references.js';
import { parseFilter } from './parse-filter.js';

const id = '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d';
const known = {
  properties: new Map([['plan', 'string' as const]]),
  topics: new Map([[id, 'opt_in' as const]]),
  segments: new Map([[id, { isFiltered: true }]]),
  broadcasts: new Set([id]),
};

const check = (field: string, operator: string, value?: unknown) => (): void =>
  checkReferences(parseFilter({ type: 'not', rule: { type: 'rule', field, operator, value } }), known);

it('accepts what exists', () => {
  check('contact.properties.plan', 'eq', 'pro')();
  check('contact.properties.plan', 'exists')();
  check(`contact.topics.${id}`, 'eq', 'opt_out')();
  check('contact.opened', 'exists')();
  check(`contact.broadcasts.${id}`, 'neq', 'opened')();
});

it('takes a property in the spelling of automations, and names the field that a mistyped one is likely to stand for', () => {
  check('contact.plan', 'eq', 'pro')();
  check('contact.plan', 'exists')();
  expect(check('contact.plan', 'eq', 5)).toThrow('`plan` is compared with a string.');
  expect(check('contact.pln', 'eq', 'pro')).toThrow('`pln` does not exist. Is `contact.properties.plan` meant?');
  expect(check('contact.properties.plans', 'exists')).toThrow('Is `contact.properties.plan` meant?');
  expect(check('contact.frist_name', 'exists')).toThrow('Is `contact.first_name` meant?');
  expect(check('contact.country', 'exists')).toThrow(/`country` does not exist.$/);
});

it('refuses what does not exist, wrong types, and segments with filters', () => {
  const other = id.replace('0', '1');
  expect(check('contact.properties.age', 'exists')).toThrow('the contact property `age` does not exist.');
  expect(check('contact.properties.plan', 'eq', 5)).toThrow('`plan` is compared with a string.');
  expect(check(`contact.topics.${other}`, 'eq', 'opt_in')).toThrow('the topic');
  expect(check(`contact.segments.${other}`, 'exists')).toThrow('the segment');
  expect(check(`contact.broadcasts.${other}`, 'eq', 'sent')).toThrow('the broadcast');
  expect(check(`contact.segments.${id}`, 'exists')).toThrow('has a filter itself.');
});
