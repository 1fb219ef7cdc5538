import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { messageIdIn, messageKeyOf, messageKeysIn } from './message-ids.js';

describe('the messages that a field names', () => {
  it.each([
    ['<a@x.test> <b@x.test>', ['<a@x.test>', '<b@x.test>']],
    ['<a@x.test><b@x.test>,<c@x.test>', ['<a@x.test>', '<b@x.test>', '<c@x.test>']],
    ['Your message of Monday <a@x.test> (was: Hello)', ['<a@x.test>']],
    ['Message from "ada@x.test" <a@x.test>', ['<a@x.test>']],
    ['<a\r\n @x.test>', ['<a@x.test>']],
    ['a@x.test b@x.test', ['<a@x.test>', '<b@x.test>']],
    ['<a@x.test', ['<a@x.test>']],
    ['<A@X.test>', ['<a@x.test>']],
    ['%3Ca%40x.test%3E', ['<a@x.test>']],
    ['=?utf-8?Q?=3Ca=40x.test=3E?=', ['<a@x.test>']],
    ['=?utf-8?B?PGFAeC50ZXN0Pg==?=', ['<a@x.test>']],
    ['<<a@x.test>>', ['<a@x.test>']],
    ['<no-at>', ['<no-at>']],
    ['the mail of ada@x.test', []],
    ['<> < >', []],
    ['', []],
  ])('%s', (value, ids) => {
    expect(messageKeysIn(value)).toEqual(ids.map(messageKeyOf));
  });

  it('are the first one and the last twenty of many', () => {
    const ids = Array.from({ length: 100 }, (_, no) => `<${no}@x.test>`);
    const kept = [...ids.slice(0, 1), ...ids.slice(-20)].map(messageKeyOf);
    expect(messageKeysIn(ids.join(' '))).toEqual(kept);
  });

  it('are found in linear time', () => {
    const startedAt = performance.now();
    for (const piece of ['<', '>', '<>', '< ', '%3C', '=?', 'a@b ']) messageKeysIn(piece.repeat(100_000));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

it('an id is kept as it stands in its field, and can be stored', () => {
  expect(messageIdIn(' <A%20b@X.test> ')).toBe('<A%20b@X.test>');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      expect(messageIdIn(value) ?? '<none>').toMatch(/^<[^\s\u0000-\u001f]+>$/);
    }),
  );
});
