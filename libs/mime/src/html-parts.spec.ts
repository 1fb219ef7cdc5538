import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findHtmlParts, withParts } from './html-parts.js';
import { decodeTransfer } from './transfer-decoding.js';

const crlf = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');

/** The message after `change` was applied to all of its html parts. */
function changed(message: Buffer, change: (text: string) => string): Buffer {
  return withParts(
    message,
    findHtmlParts(message).map((part) => ({ ...part, bytes: part.encode(change(part.text)) })),
  );
}

const single = (headers: string, body: string): Buffer => crlf(`Subject: x\n${headers}\n${body}`);

describe('the html part of a message', () => {
  it('in 7bit is changed in place', () => {
    const message = single('Content-Type: text/html\n', '<p>link</p>\n');
    expect(changed(message, (text) => text.replace('link', 'LINK')).toString()).toBe(
      message.toString().replace('link', 'LINK'),
    );
  });

  it('in quoted-printable is decoded and encoded again', () => {
    const message = single(
      'Content-Type: text/html; charset="UTF-8"\nContent-Transfer-Encoding: Quoted-Printable\n',
      '<a href=3D"x">Gr=C3=BC=\n=C3=9Fe</a>  \n',
    );
    const [part] = findHtmlParts(message);
    expect(part?.text).toBe('<a href="x">Grüße</a>\r\n');
    expect(changed(message, (text) => text.replace('x', 'y')).toString()).toContain(
      '\r\n\r\n<a href=3D"y">Gr=C3=BC=C3=9Fe</a>\r\n',
    );
  });

  it('in base64 is decoded and encoded again', () => {
    const html = `<p>${'ü'.repeat(100)}link</p>`;
    const encoded = (
      Buffer.from(html)
        .toString('base64')
        .match(/.{1,76}/g) ?? []
    ).join('\n');
    const message = single(
      'Content-Type: text/html;\n charset=utf-8\nContent-Transfer-Encoding: base64\n',
      `${encoded}\n`,
    );
    const again = changed(message, (text) => text.replace('link', 'LINK'));
    expect(findHtmlParts(again)[0]?.text).toBe(html.replace('link', 'LINK'));
    expect(
      Math.max(
        ...again
          .toString()
          .split('\r\n')
          .map(({ length }) => length),
      ),
    ).toBe(76);
  });

  it('becomes quoted-printable, with a matching header, where its lines are too long for 7bit', () => {
    const headers = 'Content-Type: text/html\nContent-Transfer-Encoding: 7bit\nX-Other: kept\n';
    const again = changed(single(headers, '<p>link</p>\n'), (text) => text.replace('link', 'l'.repeat(1_000)));
    expect(again.toString()).toContain(
      'Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\nX-Other: kept\r\n\r\n<p>lll',
    );
    expect(findHtmlParts(again)[0]?.text).toBe(`<p>${'l'.repeat(1_000)}</p>\r\n`);
    const bare = changed(single('Content-Type: text/html\n', '<p>link</p>\n'), (text) => text.padEnd(2_000));
    expect(bare.toString()).toContain('Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n');
  });

  it('in a charset other than UTF-8 keeps its bytes', () => {
    const message = single(
      'Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n',
      '<p>\xfc link</p>\n',
    );
    const [part] = findHtmlParts(message);
    expect(part?.isDecoded).toBe(false);
    expect(changed(message, (text) => text.replace('link', 'LINK')).toString('latin1')).toBe(
      message.toString('latin1').replace('link', 'LINK'),
    );
  });

  it('is found in nested multiparts, and everything around it is unchanged', () => {
    const message = crlf(nested);
    expect(findHtmlParts(message).map(({ text }) => text)).toEqual(['<p>shown</p>']);
    expect(changed(message, (text) => text.replace('shown', 'SHOWN')).toString()).toBe(
      message.toString().replace('shown', 'SHOWN'),
    );
  });
});

const nested = `From: a@x.test
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="m m"

preamble
--m m
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain

<p>text</p>
--a not a delimiter
--a
Content-Type: text/html; charset=utf-8

<p>shown</p>
--a--
--m m
Content-Type: text/html; name="page.html"

<p>named</p>
--m m
Content-Type: text/html
Content-Disposition: attachment

<p>attached</p>
--m m
Content-Type: message/rfc822

Content-Type: text/html

<p>forwarded</p>
--m m--
epilogue
`;

describe('a message that is not changed', () => {
  const html = 'Content-Type: text/html\n\n<p>x</p>\n';
  const inMultipart = (type: string, part = html): Buffer =>
    crlf(`Content-Type: ${type}; boundary=b\n\n--b\n${part}--b--\n`);

  it.each([
    ['signed with S/MIME', inMultipart('multipart/signed; protocol="application/pkcs7-signature"')],
    ['encrypted with PGP', inMultipart('multipart/encrypted; protocol="application/pgp-encrypted"')],
    ['entirely in S/MIME', single('Content-Type: application/pkcs7-mime; smime-type=signed-data\n', html)],
    [
      'signed inside',
      inMultipart(
        'multipart/mixed',
        crlf(`Content-Type: multipart/signed; boundary=c\n\n--c\n${html}--c--\n`).toString().replaceAll('\r\n', '\n'),
      ),
    ],
    ['signed by its sender with DKIM', single('DKIM-Signature: v=1\nContent-Type: text/html\n', '<p>x</p>\n')],
    ['with PGP in its html', single('Content-Type: text/html\n', '<pre>-----BEGIN PGP MESSAGE-----</pre>\n')],
    ['cut off', crlf(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${html}`)],
    ['without a boundary', crlf(`Content-Type: multipart/mixed\n\n--b\n${html}--b--\n`)],
    [
      'in an unknown encoding',
      single('Content-Type: text/html\nContent-Transfer-Encoding: x-uuencode\n', '<p>x</p>\n'),
    ],
    [
      'in broken quoted-printable',
      single('Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n', '<p>=zz</p>\n'),
    ],
    ['in broken base64', single('Content-Type: text/html\nContent-Transfer-Encoding: base64\n', 'PHA+eDwvcD4\n')],
    ['in a charset that is not like ASCII', single('Content-Type: text/html; charset=utf-16\n', '<p>x</p>\n')],
    ['in a charset with shifts', single('Content-Type: text/html; charset=iso-2022-jp\n', '<p>x</p>\n')],
    ['without html', single('Content-Type: text/plain\n', '<p>x</p>\n')],
    ['a report', inMultipart('multipart/report')],
    ['empty', Buffer.alloc(0)],
    ['nested too deeply', crlf(deep(20))],
    ['with too many parts', crlf(`Content-Type: multipart/mixed; boundary=b\n\n${`--b\n${html}`.repeat(300)}--b--\n`)],
  ])('%s', (_, message) => {
    expect(findHtmlParts(message)).toEqual([]);
  });
});

function deep(levels: number): string {
  if (levels === 0) return 'Content-Type: text/html\n\n<p>x</p>\n';
  const boundary = `b${levels}`;
  return `Content-Type: multipart/mixed; boundary=${boundary}\n\n--${boundary}\n${deep(levels - 1)}--${boundary}--\n`;
}

it.each([
  ['lines like a delimiter', 'Content-Type: multipart/mixed; boundary=a\n\n', '--a x\n'],
  ['dashes', 'Content-Type: multipart/mixed; boundary="-"\n\n', '-'],
  ['parts', 'Content-Type: multipart/mixed; boundary=a\n\n', '--a\n\n'],
  ['parameters', 'Content-Type: text/html', '; a=b'],
  ['quotes', 'Content-Type: text/html', ';a="'],
  ['blanks in quoted-printable', 'Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n', ' '],
])('takes linear time for many %s', (_, head, piece) => {
  const message = crlf(head + piece.repeat(Math.ceil(1_900_000 / piece.length)));
  expect(findHtmlParts(message).length).toBeLessThanOrEqual(1);
});

it('an encoded part decodes to the same html, for any html', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '=', ' ', '\t', '\r\n', '\n', '\r', 'ü', '.', '\0', 'x'.repeat(500)),
  });
  fc.assert(
    fc.property(text, fc.constantFrom('7bit', '8bit', 'quoted-printable', 'base64'), (html, encoding) => {
      const message = single(`Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: ${encoding}\n`, '');
      const [part] = findHtmlParts(message);
      const again = part?.encode(html) ?? Buffer.alloc(0);
      const used = /^Content-Transfer-Encoding: (.*)\r$/m.exec(again.toString())?.[1] ?? '';
      const body = again.subarray(again.indexOf('\r\n\r\n') + 4);
      expect(decodeTransfer(body, used)?.toString()).toBe(html);
    }),
    { numRuns: 2_000 },
  );
});
