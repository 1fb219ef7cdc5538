import { expect, it } from '@jest/globals';
import { isKnownAt, parsePosition, positionId } from './live-event.js';

it('an id of an event leads back to its position', () => {
  const position = { at: 1_763_850_000_000, snapshot: '10:20:11,15' };
  expect(parsePosition(positionId(position))).toEqual(position);
  expect(parsePosition('1763850000000.10:10:')).toEqual({ at: 1_763_850_000_000, snapshot: '10:10:' });
});

it('a snapshot that PostgreSQL would refuse is refused', () => {
  const bad = [
    '20:10:',
    '10:20:9',
    '10:20:20',
    '10:20:15,11',
    '10:20:11,,12',
    '10:20:11,',
    '0:1:',
    "1:2:'",
    '1:9223372036854775808:',
  ];
  for (const snapshot of bad) expect(parsePosition(`1763850000000.${snapshot}`)).toBeUndefined();
  const long = Array.from({ length: 900 }, (_, index) => 1_000 + index).join(',');
  for (const id of ['', 'reload', undefined, ['1'], `1763850000000.1:9999:${long}`])
    expect(parsePosition(id)).toBeUndefined();
});

it('a transaction that was under way is not known, however low its number', () => {
  const known = [9n, 10n, 11n, 14n, 15n, 19n, 20n].filter((xid) => isKnownAt('10:20:11,15', xid));
  expect(known).toEqual([9n, 10n, 14n, 19n]);
});
