import { expect, it } from '@jest/globals';
import { mappingOf } from './column-mapping.js';
import { rowOf } from './row.js';

const mapping = mappingOf(['email', 'unsubscribed'], { fields: {}, properties: [] }, new Map());
const unsubscribed = (cell: string): unknown => {
  const read = rowOf(['a@x.test', cell], 2, mapping);
  return 'row' in read ? read.row.unsubscribed : read.refusal.reason;
};

it.each([
  'TRUE',
  '1',
  'WAHR',
  'Oui',
  'unsubscribed',
  'Cleaned',
  'bounced',
  'Complained',
  'inactive',
  'NEVER_SUBSCRIBED',
])('a contact whose state is %s gets no broadcasts', (cell) => expect(unsubscribed(cell)).toBe(true));

it.each(['False', '0', 'FALSCH', 'nein', 'Subscribed', 'ACTIVE'])(
  'a contact whose state is %s is a subscriber',
  (cell) => expect(unsubscribed(cell)).toBe(false),
);

it('a state that says neither is refused', () => {
  expect(unsubscribed('')).toBeUndefined();
  for (const cell of ['pending', 'unconfirmed', 'maybe']) expect(unsubscribed(cell)).toContain('neither');
});

it('a column of the opposite sense says who unsubscribed, too', () => {
  const columns = ['email', 'unsubscribed', 'Accepts marketing'];
  const both = mappingOf(columns, { fields: { subscribed: 'Accepts marketing' }, properties: [] }, new Map());
  const read = (...cells: readonly string[]): unknown => {
    const result = rowOf(['a@x.test', ...cells], 2, both);
    return 'row' in result ? result.row.unsubscribed : result.refusal.reason;
  };
  for (const cell of ['no', 'FALSE', '0', 'UNSUBSCRIBED', 'Not subscribed', 'opted_out']) {
    expect(read('', cell)).toBe(true);
  }
  for (const cell of ['yes', 'TRUE', '1', 'SUBSCRIBED', 'Opted in']) expect(read('', cell)).toBe(false);
  expect(read('yes', 'yes')).toBe(true);
  expect(read('', '')).toBeUndefined();
  expect(read('', 'pending')).toContain('neither');
  const unnamed = mappingOf(['email', 'subscribed'], { fields: {}, properties: [] }, new Map());
  expect(rowOf(['a@x.test', '2024-03-01'], 2, unnamed)).toMatchObject({ row: { unsubscribed: undefined } });
});

it('numbers have decimal commas where semicolons separate the cells', () => {
  const properties = [{ key: 'size', column: 'size', type: 'number' as const }];
  const numbers = mappingOf(['email', 'size'], { fields: {}, properties }, new Map());
  const read = (cell: string, delimiter: string): unknown => {
    const result = rowOf(['a@x.test', cell], 2, numbers, delimiter);
    return 'row' in result ? result.row.properties.size : undefined;
  };
  expect(['12,5', '-0,25', '1.234,5', '1 234 567,5', '12.5', '7'].map((cell) => read(cell, ';'))).toEqual([
    12.5, -0.25, 1234.5, 1234567.5, 12.5, 7,
  ]);
  for (const cell of ['1,2,3', '1.23,4', ',5', '5,']) expect(read(cell, ';')).toBeUndefined();
  expect(read('12,5', ',')).toBeUndefined();
});
