import { describe, expect, it } from '@jest/globals';
import { parseExpiresIn } from './email-fields.js';

describe('expires_in', () => {
  it.each([
    ['10m', 600_000],
    ['30 seconds', 30_000],
    ['2 hours', 7_200_000],
    ['1 day', 86_400_000],
    ['48h', 172_800_000],
    [undefined, 172_800_000],
  ])('%p is %d ms', (text, milliseconds) => expect(parseExpiresIn(text)).toBe(milliseconds));

  it.each(['49h', '3 days', '172801s'])('%p is too long', (text) => {
    expect(() => parseExpiresIn(text)).toThrow('expires_in must not exceed 48 hours');
  });

  it.each(['', 'soon', '0m', '-1h', '10', '1 month', '1h 30m'])('%p is refused', (text) => {
    expect(() => parseExpiresIn(text)).toThrow('The `expires_in` field must be a duration');
  });
});
