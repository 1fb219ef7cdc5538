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
