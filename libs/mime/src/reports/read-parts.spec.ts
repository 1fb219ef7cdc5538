import { expect, it } from '@jest/globals';
import { readParts } from './read-parts.js';

const quoted = '\x93Mailbox full\x94 \x80 5';
const textOf = (contentType: string, body: string): string | undefined =>
  readParts(Buffer.from(`Content-Type: ${contentType}\r\n\r\n${body}`, 'latin1')).leaves[0]?.text;

it.each(['windows-1252', 'iso-8859-1', 'Latin1', 'x-unknown', 'utf-8', 'us-ascii'])(
  'reads the quotation marks and the euro sign of Windows-1252 in a report that declares %s',
  (charset) => {
    expect(textOf(`text/plain; charset=${charset}`, quoted)).toBe('“Mailbox full” € 5');
  },
);

it('reads a report in the charset that it declares', () => {
  expect(textOf('text/plain; charset=koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4')).toBe('Привет');
  expect(textOf('text/plain; charset=utf-8', '\xe2\x82\xac')).toBe('€');
  expect(textOf('text/plain', '\xe2\x82\xac')).toBe('€');
});

it('reads a report as UTF-8 where that is valid and the declared charset is unknown', () => {
  expect(textOf('text/plain; charset=x-unknown', '\xe2\x82\xac')).toBe('€');
  expect(textOf('text/plain; charset=mac-nowhere', '\xe2\x82\xac')).toBe('€');
});
