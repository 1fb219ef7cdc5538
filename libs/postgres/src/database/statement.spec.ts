import { describe, expect, it } from '@jest/globals';
import { storableJson } from './statement.js';

describe('storable JSON', () => {
  it.each([
    [
      'is unchanged where PostgreSQL can store it',
      { reply: '250 2.0.0 <a@b.test> "ok" 🙂\r\n', code: 250, none: null },
      undefined,
    ],
    ['has no NUL', { reply: ['a\0b'] }, { reply: ['ab'] }],
    ['has U+FFFD in place of half a surrogate pair', { reply: 'cut \ud83d' }, { reply: 'cut \ufffd' }],
    ['has neither in its keys', { 'a\0b': { 'cut \ud83d': [{ '\0': 1 }] } }, { ab: { 'cut \ufffd': [{ '': 1 }] } }],
    ['keeps text that looks like an escape', { reply: '\\u0000 \\ud83d' }, undefined],
  ])('%s', (_, value, expected) => {
    expect(JSON.parse(storableJson(value))).toEqual(expected ?? value);
  });
});
