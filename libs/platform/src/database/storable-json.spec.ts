import { describe, expect, it } from '@jest/globals';
import { storableJson } from './storable-json.js';

describe('storable JSON', () => {
  it.each([
    ['keeps what PostgreSQL keeps', { reply: '250 2.0.0 <a@b.test> "ok" 🙂\r\n', code: 250, none: null }, undefined],
    ['leaves out NUL', { reply: ['a\0b'] }, { reply: ['ab'] }],
    ['replaces half of a surrogate pair', { reply: 'cut \ud83d' }, { reply: 'cut \ufffd' }],
    ['keeps a text that only looks like an escape', { reply: '\\u0000 \\ud83d' }, undefined],
  ])('%s', (_, value, expected) => {
    expect(JSON.parse(storableJson(value))).toEqual(expected ?? value);
  });
});
