import { expect, it } from '@jest/globals';
import { depthField, MailDepth } from './mail-depth.js';

const depth = new MailDepth({
  sign: (purpose, text) => Buffer.from(`${purpose} ${text}`).toString('base64url'),
  verify: (purpose, text, given) => given === Buffer.from(`${purpose} ${text}`).toString('base64url'),
});

it('a depth is read only with its own signature', () => {
  expect(depth.read(depth.valueOf(3))).toBe(3);
  expect(depth.read(` ${depth.valueOf(3)}\r\n`)).toBe(3);
  expect(depth.read(depth.valueOf(3).replace('3', '4'))).toBeUndefined();
  for (const value of ['', '3', '3; ', '3; forged', `${'3'.repeat(9_000)}; x`])
    expect(depth.read(value)).toBeUndefined();
});

it('an email that is taken has the next depth, and one that is too deep is refused', () => {
  expect(depth.counted(null)).toBeNull();
  expect(depth.counted({ 'X-Other': '1' })).toEqual({ 'X-Other': '1' });
  expect(depth.counted({ 'x-postrider-DEPTH': depth.valueOf(3), 'X-Other': '1' })).toEqual({
    'X-Other': '1',
    [depthField]: depth.valueOf(4),
  });
  expect(depth.counted({ [depthField]: '3; forged' })).toBeNull();
  expect(() => depth.counted({ [depthField]: depth.valueOf(11) })).toThrow('answered each other');
});
