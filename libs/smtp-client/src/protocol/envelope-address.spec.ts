import { expect, test } from '@jest/globals';
import { isEnvelopeAddress } from './message-content.js';

test.each([
  'user@example.test',
  'user+tag@example.test',
  "o'hara/x=y!#$%&*{|}~^`?@example.test",
  '"quoted local <part>"@example.test',
  'user@[127.0.0.1]',
  'user@[IPv6:::1]',
  'jürgen@example.test',
])('%s is a valid envelope address', (address) => {
  expect(isEnvelopeAddress(address)).toBe(true);
});

test.each([
  '',
  'user',
  '@example.test',
  'user@',
  'a@b@c.test',
  'user@example.test\r\nRCPT TO:<other@example.test>',
  'user@example.test> SIZE=1',
  'us er@example.test',
  'user@example.test ',
  '<user@example.test>',
  '"a\r\nb"@example.test',
  '"a"b"@example.test',
  'a\u0085b@example.test',
  'a\u00a0b@example.test',
  'a\ud800@example.test',
  `${'a'.repeat(600)}@example.test`,
])('%j is not a valid envelope address', (address) => {
  expect(isEnvelopeAddress(address)).toBe(false);
});
