import { expect, it } from '@jest/globals';
import { fieldsOf } from './header-fields.js';

it('fields are unfolded, keep their order and may repeat', () => {
  expect(
    fieldsOf('DKIM-Signature: v=1;\r\n\tb=abc\r\nFrom: a@b.test\r\nReceived: one\r\nReceived: two\r\nnonsense'),
  ).toEqual([
    ['DKIM-Signature', 'v=1; b=abc'],
    ['From', 'a@b.test'],
    ['Received', 'one'],
    ['Received', 'two'],
  ]);
  expect(fieldsOf('')).toEqual([]);
});
