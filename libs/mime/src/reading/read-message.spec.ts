import { describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { gatherCorpus } from '../../../../test/support/builders/gather-corpus.js';
import { growthOfTime } from '../../../../test/support/runner/growth-of-time.js';
import { readable } from './entity-header.js';
import { MimeTooComplexError, readMessage } from './read-message.js';

interface Shown {
  readonly html: string | null;
  readonly text: string | null;
  readonly files: readonly (readonly [string | null, string, string | null, string])[];
}

function shown(message: string | Uint8Array): Shown {
  const bytes = typeof message === 'string' ? Buffer.from(message, 'latin1') : message;
  const { html, text, files } = readMessage(bytes);
  return {
    html: html()?.toString() ?? null,
    text: text()?.toString() ?? null,
    files: files.map(({ filename, contentType, contentId, content }) => {
      return [filename, contentType, contentId, content().toString('latin1')] as const;
    }),
  };
}

const mixed = (...parts: string[]): string =>
  `Content-Type: multipart/mixed; boundary=x\r\n\r\n${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`;

describe('readMessage', () => {
  // Messages that the other library converts between html and text in another way, or interprets by guessing.
  // It takes Windows-1252 for Latin 1 on some versions of Node.
  // It glues quoted lines together, and leaves uuencoded content as it is.
  const deliberatelyDifferent = [
    ...['boundary-odd-characters', 'plain-windows1252', 'plain-format-flowed', 'uuencoded'],
  ];

  it.each(gatherCorpus().map(({ name, raw }) => [name, raw] as const))(
    'shows the same content as another library: %s',
    async (name, raw) => {
      if (deliberatelyDifferent.includes(name)) return;
      const parsed = await PostalMime.parse(raw);
      const { html, text, files } = shown(raw);
      const body = (part: string | undefined): string | null => part?.replace(/\r?\n$/, '') ?? null;
      expect({ html, text }).toEqual({ html: body(parsed.html), text: body(parsed.text) });
      expect(files.map(([filename, contentType]) => [filename, contentType])).toEqual(
        parsed.attachments.map(({ filename, mimeType }) => [filename, mimeType]),
      );
    },
  );

  it('treats the line break before a delimiter as part of the delimiter', () => {
    const { text, files } = shown(mixed('\r\nHello\r\n', 'Content-Type: a/b\r\n\r\nas it is'));
    expect(text).toBe('Hello\n');
    expect(files).toEqual([[null, 'a/b', null, 'as it is']]);
  });

  it('finds the parts of a multipart without a closing delimiter, and ignores unknown delimiters', () => {
    const inner = 'Content-Type: multipart/alternative; boundary=y\r\n\r\n--y\r\n\r\ninner\r\n--z\r\nstill';
    expect(shown(mixed(inner, '\r\nouter')).text).toBe('inner\n--z\nstill\n\nouter');
  });

  it('shows the text of a message whose type is broken', () => {
    expect(shown('Content-Type: text; charset=utf-8\r\n\r\nGr\xc3\xbc').text).toBe('Grü');
    expect(shown('Content-Type: ;charset=utf-8\r\n\r\nGr\xc3\xbc').text).toBe('Grü');
    const parts = '--=_a\r\n\r\nHello\r\n--=_a\r\nContent-Type: a/b\r\n\r\nfile\r\n--=_a--\r\n';
    const guessed = shown(`Content-Type: multipart/mixed\r\n\r\npreamble\r\n${parts}`);
    expect(guessed).toMatchObject({ text: 'Hello', files: [[null, 'a/b', null, 'file']] });
    for (const rule of ['-- ', '-----', '-- or else', '']) {
      const unguessed = `Content-Type: multipart/mixed\r\n\r\nHello\r\n${rule}\r\nAnn`;
      expect(shown(unguessed).text).toBe(`Hello\n${rule}\nAnn`);
    }
    expect(shown(mixed('Content-Type: multipart/mixed\r\n\r\nnothing', '\r\nouter')).text).toBe('outer');
    expect(shown('Content-Type: multipart/mixed; boundary=x\r\n\r\nno part').text).toBe('no part');
  });

  it('begins the body with the first line that is no field, if no field follows', () => {
    const body = 'Hello Bob,\n\nsee you.';
    const sent = body.replaceAll('\n', '\r\n');
    expect(shown(sent).text).toBe(body);
    expect(shown(`Subject: x\r\n \r\n${sent}`).text).toBe(body);
    expect(shown(`Subject: x\r\nan unfolded line\r\nX: y\r\n\r\n${sent}`).text).toBe(body);
    expect(shown(`From ann@x.test Sat Nov 21 2026\r\n\r\n${sent}`).text).toBe(body);
  });

  it('decodes charsets, transfer encodings, flowed lines and names', () => {
    expect(shown('Content-Type: text/plain; charset=iso-8859-1\r\n\r\ngr\xfcn').text).toBe('grün');
    const quoted =
      'Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=C3=BC a=\r\nb =zz =3';
    expect(shown(quoted).html).toBe('ü ab =zz =3');
    const flowed = 'Content-Type: text/plain; format=flowed\r\n\r\none \r\ntwo\r\n  kept\r\n-- \r\nAnn';
    expect(shown(flowed).text).toBe('one two\n kept\n-- \nAnn');
    const named = (field: string): string | null | undefined =>
      shown(mixed(`Content-Type: a/b\r\nContent-Disposition: attachment; ${field}\r\n\r\nx`)).files[0]?.[0];
    expect(named('filename="=?utf-8?q?=C3?= =?utf-8?q?=BC?=.txt"')).toBe('ü.txt');
    expect(named("filename*0*=utf-8''%C3;\r\n filename*1*=%BC; filename*2=.txt")).toBe('ü.txt');
    expect(named('filename="a\\"b;c.txt" (comment)')).toBe('a"b;c.txt');
  });

  it('reads a text whose charset the header does not name as what it is', () => {
    expect(shown('Subject: x\r\n\r\nGr\xfc\xdfe').text).toBe('Grüße');
    expect(shown('Content-Type: text/plain; charset=""\r\n\r\nGr\xfc\xdfe').text).toBe('Grüße');
    expect(shown('Subject: x\r\n\r\nGr\xc3\xbc').text).toBe('Grü');
    const html = (meta: string, text: string): string | null =>
      shown(`Content-Type: text/html\r\n\r\n<html><head><meta ${meta}></head>${text}`).html;
    expect(html('charset="windows-1251"', '\xcf\xf0\xe8')).toContain('При');
    expect(html("http-equiv=Content-Type content='text/html; charset=Shift_JIS'", '\x82\xb1')).toContain('こ');
    expect(html('charset=utf-16', 'Gr\xc3\xbc')).toContain('Grü');
    expect(html('name=x', 'Gr\xfc')).toContain('Grü');
    const named = 'Content-Type: text/html; charset=iso-8859-1\r\n\r\n<meta charset=windows-1251>Gr\xfc';
    expect(shown(named).html).toContain('Grü');
  });

  it.each([
    ['> one \r\n> two\r\n>> three \r\n>> four \r\nfive \r\nsix', '> one two\n>> three four \nfive six'],
    ['> > one \r\n> > two\r\n> \r\n> three \r\n> -- \r\n> Ann', '> > one two\n>\n> three \n> -- \n> Ann'],
    ['one \r\n two\r\n > no quote\r\n From here', 'one two\n> no quote\nFrom here'],
  ])('joins flowed lines of one depth of quotation only: %j', (flowed, joined) => {
    expect(shown(`Content-Type: text/plain; format=flowed\r\n\r\n${flowed}`).text).toBe(joined);
  });

  it('reads ISO-2022-JP in several encoded words, and with escape sequences that change nothing', () => {
    const [first, second] = ['=?ISO-2022-JP?B?GyRCRnwbKEI=?=', '=?ISO-2022-JP?B?GyRCS1wbKEI=?='];
    expect(readable(`Re: ${first}\t${second} x`)).toBe('Re: 日本 x');
    const text = 'Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b(B\x1b$BF|\x1b(B\x1b$BK\\\x1b(B\x1b(J';
    expect(shown(text).text).toBe('日本');
  });

  it('takes a text with a name behind the first part for a file, after all others', () => {
    const named = 'Content-Type: text/plain; name=notes.txt\r\nContent-Disposition: inline\r\n\r\nThe notes';
    const other = 'Content-Type: a/b\r\n\r\nother';
    const { text, files } = shown(mixed('Content-Type: text/plain; name=body.txt\r\n\r\nHello', named, other));
    expect(text).toBe('Hello');
    expect(files).toEqual([
      [null, 'a/b', null, 'other'],
      ['notes.txt', 'text/plain', null, 'The notes'],
    ]);
    const versions = mixed('\r\nHello', 'Content-Type: text/html; name=a.html\r\n\r\n<b>Hello</b>');
    expect(shown(versions.replace('mixed', 'alternative')).html).toBe('<b>Hello</b>');
  });

  it.each([
    ['begin 644 a.bin\r\n#0V%T\r\n`\r\nend\r\n', 'Cat'],
    ['Text before\r\nbegin 0644 a.bin\r\n%:&5L;&\\\r\n`\r\nend\r\nand after', 'hello'],
    // Spaces at the end of the line were cut off.
    ['begin 644 a.bin\r\n#00\r\n \r\nend\r\n', 'A\0\0'],
    ['begin 644 a.bin\r\nnot valid\r\n\r\n#0V%T', 'Cat'],
    ['nothing of it', 'nothing of it'],
    ['begin 644 a\r\n', ''],
  ])('decodes x-uuencode: %j', (body, content) => {
    const part = `Content-Type: a/b\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n${body}`;
    expect(shown(mixed('\r\nHello', part)).files[0]?.[3]).toBe(content);
  });

  it('shows a message inside a message, or returns it as a file where it is attached or part of a report', () => {
    const inner = 'From: =?utf-8?q?J=C3=B6rg?= <j@a.test>\r\nSubject: Inner\r\n\r\nInside';
    const part = `Content-Type: message/rfc822\r\n\r\n${inner}`;
    expect(shown(mixed('\r\nOuter', part)).text).toBe('Outer\n\n\nFrom: Jörg <j@a.test>\nSubject: Inner\n\nInside');
    const attached = part.replace('\r\n', '\r\nContent-Disposition: attachment\r\n');
    expect(shown(mixed('\r\nOuter', attached)).files).toEqual([[null, 'message/rfc822', null, inner]]);
    const report = mixed('Content-Type: message/delivery-status\r\n\r\nAction: failed', part);
    expect(shown(report).files.map(([, type]) => type)).toEqual(['message/delivery-status', 'message/rfc822']);
  });

  it.each([
    ['parts', mixed('\r\n').replace('--x--', '--x\r\n\r\n'.repeat(30_000))],
    [
      'levels',
      Array.from({ length: 10_000 }, (_, n) => `Content-Type: multipart/a; boundary=${n}\r\n\r\n--${n}\r\n`).join(''),
    ],
    ['header bytes', 'a: b\r\n'.repeat(200_000)],
  ])('refuses too many %s with an error that names them', (what, message) => {
    expect(() => readMessage(Buffer.from(message))).toThrow(MimeTooComplexError);
    expect(() => readMessage(Buffer.from(message))).toThrow(what.split(' ').pop());
  });

  it('keeps a file whose parameter stands on a line of its own that is not indented', () => {
    const fields = 'Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment;\r\n';
    const encoded = `${fields}filename="x.pdf"\r\n\r\naGVsbG8=\r\n`;
    const [file] = readMessage(Buffer.from(encoded)).files;
    expect(file?.content()).toEqual(Buffer.from('hello'));
    const html = readMessage(Buffer.from('Content-Type: text/html;\r\ncharset=UTF-8\r\n\r\n<p>Hi</p>\r\n')).html();
    expect(html?.toString().trim()).toBe('<p>Hi</p>');
  });

  it.each([
    ['parts', '--x\r\n\r\n'],
    ['messages', '--x\r\nContent-Type: message/rfc822\r\n\r\n'],
    ['false delimiters', '--y\r\n'],
    ['dashes', '-'],
    ['empty lines', '\r\n'],
    ['equals signs', '='],
    ['encoded words', '--x\r\nContent-Type: a/b; name="=?a?B?=?= =?b?Q?=?="\r\n\r\n'],
    ['parameters', `--x\r\nContent-Type: a/b${';a*0*=%'.repeat(500)}\r\n\r\n`],
    [
      'uuencoded parts',
      '--x\r\nContent-Type: a/b\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a\r\nMM\r\n',
    ],
    ['flowed lines', `--x\r\nContent-Type: text/plain; format=flowed\r\n\r\n${'> > a \r\n>> b \r\n'.repeat(500)}`],
    ['comments in html', '--x\r\nContent-Type: text/html\r\n\r\n<!--'],
  ])('takes linear time for many %s', async (_, piece) => {
    const limits = { maxParts: Infinity, maxDepth: 50_000, maxHeaderBytes: Infinity };
    const read = (size: number): void => {
      const message = Buffer.from(
        `Content-Type: multipart/mixed; boundary=x\r\n\r\n${piece.repeat(size / piece.length)}`,
      );
      const { html, text, files } = readMessage(message, limits);
      html();
      text();
      for (const file of files) file.content();
    };
    expect(await growthOfTime(read, 128 * 1024)).toBeLessThan(10);
  });
});

it.each([
  ['us-ascii', 'gr\xc3\xbcn', 'grün'],
  ['iso-8859-1', 'gr\xc3\xbcn', 'grün'],
  ['windows-1251', '\xd0\xb4\xd0\xb0', 'да'],
  ['koi8-r', '\xc4\xc1', 'да'],
  ['unknown-8bit', 'gr\xc3\xbcn', 'grün'],
  ['us-ascii', 'gr\xfcn', 'grün'],
  ['iso-8859-1', '\xc3', 'Ã'],
  ['cp932', '\x93\xfa\x96{', '日本'],
  ['x-sjis', '\x93\xfa\x96{', '日本'],
  ['cp936', '\xd6\xd0\xce\xc4', '中文'],
  ['cp949', '\xc7\xd1', '한'],
  ['cp950', '\xa4\xa4', '中'],
  ['cp51932', '\xc6\xfc', '日'],
  ['cp50221', '\x1b$BF|\x1b(B', '日'],
  ['cp1251', '\xe4\xe0', 'да'],
])('reads what is declared as %s', (charset, bytes, text) => {
  const encoded = Buffer.from(bytes, 'latin1').toString('base64');
  const message = readMessage(
    Buffer.from(
      `Subject: =?${charset}?b?${encoded}?=\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n${bytes}\r\n`,
      'latin1',
    ),
  );
  expect(message.text()?.toString().trim()).toBe(text);
  expect(readable(message.fields[0]?.value ?? '')).toBe(text);
});

it('reads the quotation marks and the euro sign of Windows-1252, which are control characters in Latin 1', () => {
  const text =
    'Subject: =?windows-1252?q?=93=80=94?=\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\n\x93\x80\x94\r\n';
  const message = readMessage(Buffer.from(text, 'latin1'));
  expect(message.text()?.toString()).toBe('“€”');
  expect(readable(message.fields[0]?.value ?? '')).toBe('“€”');
});
