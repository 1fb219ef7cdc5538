import { expect, it } from '@jest/globals';
import { checkIdempotencyKey } from './idempotency.js';

it.each(['a', 'order 17/ä日', 'Ã¤\u0080', 'x'.repeat(256)])('%j is a valid idempotency key', (key) => {
  expect(checkIdempotencyKey(key)).toBe(key);
});

it.each(['', 'x'.repeat(257), 'a\0b', 'a\nb', 'a\u007f', '\ud800'])('%j is not a valid idempotency key', (key) => {
  expect(() => checkIdempotencyKey(key)).toThrow(expect.objectContaining({ code: 'invalid_idempotency_key' }));
});
