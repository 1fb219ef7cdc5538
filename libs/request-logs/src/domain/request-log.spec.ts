import { expect, it } from '@jest/globals';
import { parseLogFilter } from './request-log.js';

it('reads a status, a class of them, and a method', () => {
  expect(parseLogFilter({ limit: '5', status: '' })).toBeUndefined();
  expect(parseLogFilter({ status: '4xx', method: 'post' })).toEqual({ statuses: [400, 499], method: 'POST' });
  expect(parseLogFilter({ status: '404' })).toEqual({ statuses: [404, 404] });
});

it.each([{ status: 'bad' }, { status: '9xx' }, { status: ['4xx'] }, { method: 'TRACE' }])('refuses %j', (query) => {
  expect(() => parseLogFilter(query)).toThrow('`');
});
