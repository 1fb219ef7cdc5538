import { CorpusMessage, gatherCorpus } from './gather-corpus.js';

/** A message, and what must be read from it. Only what the shape is about is expected. */
export interface MimeShape extends CorpusMessage {
  readonly expected: {
    readonly from?: string;
    readonly subject?: string;
    readonly text?: string;
    readonly attachments?: readonly (Readonly<Record<string, unknown>> | null)[];
  };
}

const bytesOf = (text: string): Buffer => Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1');
const shape = (name: string, text: string | Buffer, expected: MimeShape['expected'] = {}): MimeShape => ({
  name,
  raw: typeof text === 'string' ? bytesOf(text) : text,
  expected,
});

/** The shapes of test/corpus and those that are made here: more than two hundred, all different. */
export function mimeShapes(): MimeShape[] {
  return [
    ...gatherCorpus().map(({ name, raw }) => ({ name, raw, expected: {} })),
    ...gatherCorpus('feedback').map(({ name, raw }) => ({ name: `feedback ${name}`, raw, expected: {} })),
    ...charsets(),
    ...fileNames(),
    ...realTypes(),
    ...structures(),
    ...special(),
    ...headers(),
    ...broken(),
  ];
}

/** Bytes of a word in a charset, and the word. */
const words: readonly (readonly [string, number[], string])[] = [
  ['utf-8', [...Buffer.from('Grüße €')], 'Grüße €'],
  ['iso-8859-1', [0x47, 0xfc], 'Gü'],
  ['windows-1252', [0x80, 0x31], '€1'],
  ['iso-8859-15', [0xa4], '€'],
  ['koi8-r', [0xf0, 0xd2, 0xc9], 'При'],
  ['windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
  ['gb18030', [0xc4, 0xe3, 0xba, 0xc3], '你好'],
  ['big5', [0xa7, 0x41, 0xa6, 0x6e], '你好'],
  ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
  ['euc-kr', [0xc7, 0xd1], '한'],
  ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日'],
  ['us-ascii', [0x41], 'A'],
];

function charsets(): MimeShape[] {
  return words.flatMap(([charset, bytes, word]) => {
    const raw = Buffer.from(bytes);
    const hex = [...raw].map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
    const encoded = { '8bit': raw.toString('latin1'), base64: raw.toString('base64'), 'quoted-printable': hex };
    return [
      ...Object.entries(encoded).map(([encoding, body]) =>
        shape(
          `${charset} in ${encoding}`,
          `From: a@b.test\nContent-Type: text/plain; charset="${charset}"\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n`,
          { text: word },
        ),
      ),
      shape(`a subject in ${charset}`, `Subject: =?${charset}?b?${encoded.base64}?=\n\nx\n`, { subject: word }),
    ];
  });
}

function part(headers: string, body: string): string {
  return `MIME-Version: 1.0\nFrom: a@b.test\nContent-Type: multipart/mixed; boundary="=_b"\n\n--=_b\nContent-Type: text/plain\n\nHi\n--=_b\n${headers}\n\n${body}\n--=_b--\n`;
}

function fileNames(): MimeShape[] {
  const names: Readonly<Record<string, readonly [header: string, name: string | undefined]>> = {
    plain: ['filename=a.txt', 'a.txt'],
    quoted: ['filename="a b.txt"', 'a b.txt'],
    escaped: ['filename="a \\"b\\".txt"', 'a "b".txt'],
    'in RFC 2231': ["filename*=utf-8''gr%C3%BCn.txt", 'grün.txt'],
    'in two parts': ['filename*0="a"; filename*1="b.txt"', 'ab.txt'],
    'in two encoded parts': ["filename*0*=utf-8''gr%C3%BC; filename*1*=n.txt", 'grün.txt'],
    'in encoded words': ['filename="=?utf-8?q?gr=C3=BCn.txt?="', 'grün.txt'],
    'raw in UTF-8': [`filename="gr${Buffer.from('ü').toString('latin1')}n.txt"`, 'grün.txt'],
    'with a path': ['filename="C:\\\\temp\\\\a.txt"', undefined],
    empty: ['filename=""', undefined],
    absent: ['x=y', undefined],
  };
  return ['attachment', 'inline', 'other'].flatMap((disposition) =>
    Object.entries(names).map(([kind, [header, name]]) =>
      shape(
        `a file name ${kind}, ${disposition}`,
        part(`Content-Type: application/x-a\nContent-Disposition: ${disposition}; ${header}`, 'x'),
        { attachments: [{ content_type: 'application/x-a', ...(name === undefined ? {} : { filename: name }) }] },
      ),
    ),
  );
}

function realTypes(): MimeShape[] {
  const beginnings: Readonly<Record<string, Buffer>> = {
    'image/png': Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
    'image/gif': Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'),
    'application/pdf': Buffer.from('%PDF-1.7\n%%EOF'),
    'application/gzip': Buffer.from('1f8b0800000000000003', 'hex'),
    'application/zip': Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
    'application/x-msdownload': Buffer.from(`MZ${'\0'.repeat(100)}`, 'latin1'),
    'application/x-7z-compressed': Buffer.from('377abcaf271c0004', 'hex'),
    'application/x-cfb': Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex'),
    'application/rtf': Buffer.from('{\\rtf1\\ansi }'),
  };
  return Object.entries(beginnings).map(([type, bytes]) =>
    shape(
      `a file that is ${type} and says text/plain`,
      part(
        'Content-Type: text/plain; name=readme.txt\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64',
        bytes.toString('base64'),
      ),
      { attachments: [{ content_type: 'text/plain', size: bytes.length, detected_type: type }] },
    ),
  );
}

function structures(): MimeShape[] {
  const kinds = ['mixed', 'alternative', 'related', 'signed', 'parallel', 'digest', 'report', 'x-unknown', 'encrypted'];
  const nested = (kind: string, depth: number): string => {
    if (depth === 0) return 'Content-Type: text/plain\n\ninnermost\n';
    const inner = nested(kind, depth - 1);
    return `Content-Type: multipart/${kind}; boundary="b${depth}"\n\npreamble\n--b${depth}\n${inner}\n--b${depth}--\nepilogue\n`;
  };
  return kinds.flatMap((kind) =>
    [1, 3, 9].map((depth) =>
      shape(
        `multipart/${kind}, ${depth} deep`,
        `From: a@b.test\nSubject: nested\nMIME-Version: 1.0\n${nested(kind, depth)}`,
        {
          subject: 'nested',
        },
      ),
    ),
  );
}

function special(): MimeShape[] {
  const tnef = Buffer.from('789f3e22000001069007000400000001000100010001', 'hex').toString('base64');
  const calendar = (method: string): string =>
    `BEGIN:VCALENDAR\nMETHOD:${method}\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR`;
  return [
    shape(
      'winmail.dat',
      part('Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Transfer-Encoding: base64', tnef),
      { text: 'Hi', attachments: [{ filename: 'winmail.dat', content_type: 'application/ms-tnef', size: 22 }] },
    ),
    shape(
      'S/MIME, encrypted',
      'From: a@b.test\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\nContent-Transfer-Encoding: base64\n\nMIIB\n',
      { attachments: [{ filename: 'smime.p7m', content_type: 'application/pkcs7-mime' }] },
    ),
    ...['REQUEST', 'REPLY', 'CANCEL', 'PUBLISH'].map((method) =>
      shape(
        `a calendar ${method}`,
        part(`Content-Type: text/calendar; method=${method}; charset=utf-8`, calendar(method)),
        {
          attachments: [{ content_type: 'text/calendar' }],
        },
      ),
    ),
    shape('a vCard', part('Content-Type: text/vcard; name=a.vcf', 'BEGIN:VCARD\nEND:VCARD'), {
      attachments: [{ filename: 'a.vcf' }],
    }),
    shape(
      'a message as a file',
      part('Content-Type: message/rfc822\nContent-Disposition: attachment; filename=m.eml', 'Subject: inner\n\nx'),
      { attachments: [{ content_type: 'message/rfc822', filename: 'm.eml' }] },
    ),
    shape('a partial message', part('Content-Type: message/partial; number=1; total=2; id=x', 'Subject: y\n\nz')),
    shape(
      'an external body',
      part('Content-Type: message/external-body; access-type=x', 'Content-Type: text/plain\n\n'),
    ),
    shape('uuencoded text', 'From: a@b.test\n\nbegin 644 a.txt\n#86)C\n`\nend\n', {}),
    shape('format=flowed', 'Content-Type: text/plain; format=flowed; delsp=yes\n\na \nb\n', {}),
    shape(
      'an AMP part',
      'Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/x-amp-html\n\n<html ⚡4email>\n--b\nContent-Type: text/plain\n\nplain\n--b--\n',
      {},
    ),
  ];
}

function headers(): MimeShape[] {
  return [
    shape('a header of 200 KB', `${`X-Long: ${'a'.repeat(900)}\n`.repeat(220)}Subject: long\n\nx\n`, {
      subject: 'long',
    }),
    shape('5,000 fields', `${'X: y\n'.repeat(5_000)}Subject: many\n\nx\n`, { subject: 'many' }),
    shape('a field of 60 KB', `Subject: ${'word '.repeat(12_000)}\n\nx\n`),
    shape('a field of 1,000 lines', `X: a\n${' b\n'.repeat(1_000)}Subject: folded\n\nx\n`, { subject: 'folded' }),
    shape('no From', 'Subject: nobody\n\nx\n', { from: '', subject: 'nobody' }),
    shape('several authors', 'From: a@b.test, c@d.test\n\nx\n', { from: 'a@b.test' }),
    shape('two From fields', 'From: a@b.test\nFrom: c@d.test\n\nx\n', { from: 'a@b.test' }),
    shape('an author in a group', 'From: Friends: a@b.test;\n\nx\n', { from: 'a@b.test' }),
    shape('an author with a comment', 'From: a@b.test (Ada)\n\nx\n', { from: 'a@b.test' }),
    shape('an author with a route', 'From: <@x.test:a@b.test>\n\nx\n', { from: 'a@b.test' }),
    shape('an author that is no address', 'From: nobody\n\nx\n', { from: '' }),
    shape('two subjects', 'Subject: one\nSubject: two\n\nx\n', { subject: 'one' }),
    shape('an empty subject', 'Subject:\n\nx\n', { subject: '' }),
    shape('a folded subject', 'Subject: one\n two\n\tthree\n\nx\n', { subject: 'one two three' }),
    shape('a subject that begins in the next line', 'Subject:\n late\n\nx\n', { subject: 'late' }),
    shape('a subject raw in UTF-8', `Subject: ${Buffer.from('Grüße').toString('latin1')}\n\nx\n`, { subject: 'Grüße' }),
    shape('a subject raw in Latin 1', 'Subject: Gr\xfc\xdfe\n\nx\n', { subject: 'Grüße' }),
    shape('a subject with NUL', 'Subject: a\0b\n\nx\n', { subject: 'a b' }),
    shape('a subject in words that are adjacent', 'Subject: =?utf-8?q?a?= =?utf-8?q?b?=\n\nx\n', { subject: 'ab' }),
    shape('a word that is cut', 'Subject: =?utf-8?q?a\n\nx\n', { subject: '=?utf-8?q?a' }),
    shape('names in any case', 'FROM: a@b.test\nsUBJECT: case\n\nx\n', { from: 'a@b.test', subject: 'case' }),
    shape('a blank before the colon', 'Subject : blank\n\nx\n'),
    shape('a line without a colon', 'Subject: fine\nthis is no field\n\nx\n', { subject: 'fine' }),
    shape('an mbox line', 'From someone Sat Jan 1 00:00:00 2000\nSubject: mbox\n\nx\n'),
    shape('a control character', 'Subject: a\x07b\n\nx\n', { subject: 'a b' }),
  ];
}

function broken(): MimeShape[] {
  const long = 'a'.repeat(20_000);
  return [
    shape('no header', '\nonly a body\n', { text: 'only a body' }),
    shape('no body', 'Subject: alone\n', { subject: 'alone' }),
    shape('an empty line', '\n'),
    shape('a body of dots', 'Subject: dots\n\n.\n..\n.a\n', { subject: 'dots' }),
    shape('a line of 20 KB', `Subject: x\n\n${long}\n`, { text: long }),
    shape('a body with NUL', 'Subject: x\n\na\0b\n'),
    shape('8 bit without a charset', 'Content-Type: text/plain\n\n\xe9t\xe9\n'),
    shape('UTF-8 without a charset', `From: a@b.test\n\n${Buffer.from('été').toString('latin1')}\n`, { text: 'été' }),
    shape('an unknown charset', 'Content-Type: text/plain; charset=klingon\n\nx\n', { text: 'x' }),
    shape('an unknown encoding', 'Content-Type: text/plain\nContent-Transfer-Encoding: x-rot13\n\nuryyb\n'),
    shape('bad base64', 'Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!!!aGk=!!\n'),
    shape('bad quoted-printable', 'Content-Transfer-Encoding: quoted-printable\n\n=ZZ=\n=4\n'),
    shape('a type without a subtype', 'Content-Type: text\n\nx\n', { text: 'x' }),
    shape('a type of noise', 'Content-Type: ;;;===\n\nx\n'),
    shape('two types', 'Content-Type: text/html\nContent-Type: text/plain\n\nx\n'),
    shape('a multipart without a boundary', 'Content-Type: multipart/mixed\n\nx\n', { text: 'x' }),
    shape('a multipart with an empty boundary', 'Content-Type: multipart/mixed; boundary=""\n\n--\nx\n'),
    shape('a multipart that never begins', 'Content-Type: multipart/mixed; boundary=b\n\nx\n', { text: 'x' }),
    shape('a multipart that never ends', 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n', { text: 'x' }),
    shape('a multipart that only ends', 'Content-Type: multipart/mixed; boundary=b\n\n--b--\n'),
    shape(
      'the same boundary inside',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n',
    ),
    shape(
      'an encoded multipart',
      'Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\nLS1i\n',
    ),
    shape(
      '6,000 parts',
      `Subject: parts\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(6_000)}--b--\n`,
      {
        subject: 'parts',
        attachments: [],
      },
    ),
    shape(
      '200 levels',
      `Subject: levels\n${Array.from({ length: 200 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join('')}\nx\n`,
    ),
  ];
}
