import { expect, it } from '@jest/globals';
import { plainCause } from './smtp-failure.js';

it('codes of the system are told in words, and everything else is left as it is', () => {
  expect(plainCause('ECONNREFUSED')).toBe('the host refused the connection: nothing listens there (ECONNREFUSED)');
  expect(plainCause('EWHATEVER')).toBe('EWHATEVER');
  expect(plainCause('toString')).toBe('toString');
});
