import { expect, it } from '@jest/globals';
import { worstOf } from './worst-of.js';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const mistake = new TypeError('outcome is undefined');

it('an error from elsewhere outweighs database errors', () => {
  expect(worstOf([away, mistake, away])).toBe(mistake);
});

it('if all are database errors, the first one is chosen', () => {
  expect(worstOf([away, mistakeOfServer()])).toBe(away);
});

function mistakeOfServer(): Error {
  return Object.assign(new Error('the database system is shutting down'), { code: '57P03' });
}
