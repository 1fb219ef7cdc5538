import { expect, it } from '@jest/globals';
import { bytesText } from './bytes.js';

it('a size has the unit that suits it', () => {
  expect([0, 1, 999, 8_123_456_789, 512e9, 2e16].map((bytes) => bytesText(bytes, 'en'))).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '8.1 GB',
    '512 GB',
    '20,000 TB',
  ]);
});
