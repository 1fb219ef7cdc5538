import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { fieldsOf, positionIn, resolved } from './run-fields.js';

const contact = {
  id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d',
  email: 'ada@customer.test',
  firstName: 'Ada',
  lastName: null,
  unsubscribed: false,
  properties: { plan: 'pro', age: null },
};
const run = {
  payload: { plan: 'free', order: { total: 5 }, 'a.b': 1, list: [7] },
  waitEvents: { 'order.paid': { total: 9 }, order: { 'paid.total': 1 } },
  webhooks: { 'ask the shop': { stock: { left: 3 } } },
};

it.each([
  ['event.plan', 'free'],
  ['event.order.total', 5],
  ['event.a.b', 1],
  ['event.list.0', 7],
  ['event.constructor', undefined],
  ['event.order.total.digits', undefined],
  ['wait_events.order.paid.total', 9],
  ['wait_events.refund.total', undefined],
  ['webhooks.ask the shop.stock.left', 3],
  ['webhooks.ask.stock', undefined],
  ['contact.first_name', 'Ada'],
  ['contact.last_name', undefined],
  ['contact.unsubscribed', false],
  ['contact.plan', 'pro'],
  ['contact.properties.plan', 'pro'],
  ['properties.plan', 'pro'],
  ['contact.age', undefined],
  ['contact.toString', undefined],
])('%s is %j', (field, expected) => {
  expect(fieldsOf(run, contact)(field)).toEqual(expected);
});

it('a contact that is gone has no fields', () => {
  expect(fieldsOf(run, undefined)('contact.email')).toBeUndefined();
});

it('a value stands for itself, a variable for what it names', () => {
  const read = fieldsOf(run, contact);
  expect(resolved({ value: null }, read)).toBeNull();
  expect(resolved({ variable: 'event.plan' }, read)).toBe('free');
  expect(resolved({ variable: 'event.none' }, read)).toBeUndefined();
});

it('contacts are divided evenly, and each stays where it is', () => {
  const ids = Array.from({ length: 10_000 }, () => newId());
  const positions = ids.map((id) => positionIn('split', id));
  expect(positions).toEqual(ids.map((id) => positionIn('split', id)));
  for (const percent of [10, 50, 90]) {
    const share = positions.filter((position) => position < percent).length / 100;
    expect(Math.abs(share - percent)).toBeLessThan(3);
  }
  // Another step divides them in another way.
  const both = ids.filter((id) => positionIn('split', id) < 50 && positionIn('other', id) < 50).length / 100;
  expect(Math.abs(both - 25)).toBeLessThan(3);
});
