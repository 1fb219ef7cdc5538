import { expect, it } from '@jest/globals';
import { worstOf } from './deliver-email.js';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const bug = new TypeError('outcome is undefined');

it('an error from elsewhere outweighs database errors', () => {
  expect(worstOf([away, bug, away])).toBe(bug);
});

it('if all are database errors, the first one is chosen', () => {
  expect(worstOf([away, shuttingDown()])).toBe(away);
});

function shuttingDown(): Error {
  return Object.assign(new Error('the database system is shutting down'), { code: '57P03' });
}
