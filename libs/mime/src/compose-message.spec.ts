import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import PostalMime, { decodeWords } from 'postal-mime';
import { parseMailbox, type Mailbox } from '#kernel';
import { composeMessage, type ComposableMessage } from './compose-message.js';
import { UnsafeHeaderError } from './header-field.js';

const unicode = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.replace(/[\r\n\0]/g, ''));
const asciiText = fc.string({ unit: 'grapheme-ascii', maxLength: 1500 });

describe('composeMessage', () => {
  it('writes a text message as one part', () => {
    expect(source({ text: 'Hello\nworld' })).toBe(
      [
        'From: news@sender.test',
        'To: ann@x.test',
        'Subject: Welcome',
        'Message-ID: <1@sender.test>',
        'Date: Fri, 02 Jan 2026 03:04:05 +0000',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        'Hello',
        'world',
        '',
      ].join('\r\n'),
    );
  });

  it('nests alternative, related and mixed parts', () => {
    const written = source({
      text: 't',
      html: '<img src="cid:logo">',
      attachments: [
        { filename: 'logo.png', contentType: 'image/png', contentId: 'logo', content: Buffer.from('png') },
        { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('pdf') },
      ],
    });
    const types = Array.from(written.matchAll(/^Content-Type: ([a-z/]+)/gm), ([, type]) => type);
    expect(types).toEqual([
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      'image/png',
      'application/pdf',
    ]);
  });

  it('writes only html when the text is empty', () => {
    expect(source({ html: '<p>x</p>', text: '' })).toContain('Content-Type: text/html');
    expect(source({ html: '<p>x</p>', text: '' })).not.toContain('multipart');
  });

  it('writes the same bytes for the same message', () => {
    const fields = { html: '<p>x</p>', text: 'x' };
    expect(source(fields)).toBe(source(fields));
    expect(source({ ...fields, messageId: '<2@sender.test>' })).not.toBe(source(fields));
  });

  it('uses another boundary when the content contains the first one', async () => {
    const boundary = /boundary="(=_[0-9a-f]{24})/.exec(source({ html: 'x', text: 'x' }))?.[1];
    const text = `--${boundary}a\r\n\r\n--${boundary}a--`;

    const parsed = await parse({ html: 'x', text });

    expect(parsed.text?.trim()).toBe(text.replaceAll('\r\n', '\n'));
  });

  it.each([
    ['x'.repeat(998), '7bit'],
    ['x'.repeat(999), 'quoted-printable'],
    ['a NUL \0 in the middle', 'quoted-printable'],
    ['Grüße, wie geht es euch?', 'quoted-printable'],
    ['日本語のテキスト', 'base64'],
  ])('encodes a body in the simplest encoding that it allows (%#)', (text, encoding) => {
    expect(source({ text })).toContain(`Content-Transfer-Encoding: ${encoding}\r\n`);
  });

  it.each([
    ['List-Unsubscribe', `<https://x.test/u?${'t'.repeat(90)}>, <mailto:u@sender.test?subject=stop>`],
    ['References', Array.from({ length: 30 }, (_, index) => `<${index}.0123456789@sender.test>`).join(' ')],
    ['X-Encoded', '=?UTF-8?Q?caf=C3=A9?='],
  ])('folds %s without changing it', (name, value) => {
    const written = source({ headers: [[name, value]] });
    const field = new RegExp(`^${name}: (?:.|\\r\\n[ \\t])*`, 'm').exec(written)?.[0];
    expect(field?.replace(/\r\n(?=[ \t])/g, '')).toBe(`${name}: ${value}`);
  });

  it('lets custom headers set Message-ID, Date and Reply-To, but no other field of the composer', () => {
    const written = source({
      text: 'x',
      headers: [
        ['message-id', '<own@sender.test>'],
        ['Date', 'Thu, 01 Jan 2026 00:00:00 +0100'],
        ['Reply-To', 'Jürgen <j@sender.test>'],
        ['From', 'evil@x.test'],
        ['BCC', 'hidden@x.test'],
        ['Content-Type', 'text/evil'],
        ['X-Tag', 'grüße'],
      ],
    });

    expect(written).toContain('Message-ID: <own@sender.test>\r\n');
    expect(written).toContain('Date: Wed, 31 Dec 2025 23:00:00 +0000\r\n');
    expect(written).toContain('Reply-To: =?UTF-8?Q?J=C3=BCrgen?= <j@sender.test>\r\n');
    expect(written).toContain('X-Tag: =?UTF-8?B?Z3LDvMOfZQ==?=\r\n');
    expect(written).not.toMatch(/evil|hidden/);
  });

  it.each<[string, Partial<ComposableMessage>]>([
    ['a header value', { headers: [['X-A', 'a\r\nBcc: b@x.test']] }],
    ['a header name', { headers: [['X-A: b\r\nBcc', 'c']] }],
    ['an ignored header', { headers: [['Subject', 'a\nb']] }],
    ['the subject', { subject: 'a\rb' }],
    ['a name', { from: { ...mailbox('a@x.test'), name: 'a\nb' } }],
    ['an address', { from: { ...mailbox('a@x.test'), address: 'a@x.test\r\nBcc: b@x.test' } }],
    ['the message id', { messageId: '<a\0@x.test>' }],
  ])('refuses a line break or NUL in %s', (_, fields) => {
    expect(() => source(fields)).toThrow(UnsafeHeaderError);
  });

  it('writes internationalised local parts as UTF-8', async () => {
    const to = [mailbox('Jürgen <jürgen@x.test>')];
    expect(source({ to })).toContain('To: =?UTF-8?Q?J=C3=BCrgen?= <jürgen@x.test>\r\n');
    expect((await parse({ to })).to?.[0]?.address).toBe('jürgen@x.test');
  });

  it('does not encode an attached message, and attaches it as a plain file where it must be encoded', () => {
    const attach = (content: string) =>
      source({ text: 'x', attachments: [{ contentType: 'message/rfc822', content: Buffer.from(content) }] });
    expect(attach('From: a@x.test\r\n\r\nhi\r\n')).toContain('\r\n\r\nFrom: a@x.test\r\n\r\nhi\r\n');
    expect(attach('From: a@x.test\n\nhi\n')).toContain('Content-Type: application/octet-stream');
  });

  it.each([
    ['report.pdf', 'name="report.pdf"', 'filename="report.pdf"'],
    ['Prüfbericht.pdf', 'name="=?UTF-8?Q?Pr=C3=BCfbericht=2Epdf?="', "filename*=UTF-8''Pr%C3%BCfbericht.pdf"],
    ['=?x?q?y?=', 'name="=?UTF-8?B?PT94P3E/eT89?="', "filename*=UTF-8''%3D%3Fx%3Fq%3Fy%3F%3D"],
    [
      '請求書 2026年12月8日 山田商店 株式会社.pdf',
      'name="=?UTF-8?B?6KuL5rGC5pu4IDIwMjblubQxMuaciDjml6Ug5bGx55Sw5ZWG5bqXIA==?= =?UTF-8?B?5qCq5byP5Lya56S+LnBkZg==?="',
      "filename*0*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8%202026%E5%B9%B412%E6%9C%888; " +
        'filename*1*=%E6%97%A5%20%E5%B1%B1%E7%94%B0%E5%95%86%E5%BA%97%20%E6%A0%AA; ' +
        'filename*2*=%E5%BC%8F%E4%BC%9A%E7%A4%BE.pdf',
    ],
  ])('names an attachment %j in one way for each reader', (filename, inType, inDisposition) => {
    const attachments = [{ contentType: 'application/pdf', filename, content: Buffer.alloc(1) }];
    const written = source({ text: 'x', attachments });
    expect(written.split('\r\n').every((line) => line.length <= 78)).toBe(true);
    const unfolded = written.replaceAll('\r\n ', ' ');
    expect(unfolded).toContain(`Content-Type: application/pdf; ${inType}\r\n`);
    expect(unfolded).toContain(`Content-Disposition: attachment; ${inDisposition}\r\n`);
  });

  it('attaches a file with an invalid content type as a plain file', () => {
    const attachments = [
      { contentType: 'text/html\r\nX-Evil: 1', contentId: 'a\r\nb', filename: 'a\r\nb', content: Buffer.alloc(1) },
    ];
    const written = source({ text: 'x', attachments });
    expect(written).toContain('Content-Type: application/octet-stream; name="a__b"');
    expect(written).toContain('Content-ID: <a%0D%0Ab>');
  });
});

describe('another parser', () => {
  it('reads any subject', async () => {
    await fc.assert(
      fc.asyncProperty(unicode, async (subject) => {
        const parsed = await parse({ subject });
        expect(visible(parsed.subject ?? '')).toBe(visible(subject));
      }),
    );
  });

  it('reads any display names', async () => {
    const names = fc.array(unicode, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(names, async (all) => {
        const to = all.map((name, index) => ({ ...mailbox(`u${index}@x.test`), name }));
        const parsed = await parse({ to });
        expect(parsed.to?.map(({ address }) => address)).toEqual(to.map(({ address }) => address));
        expect(parsed.to?.map(({ name }) => visible(name))).toEqual(to.map(({ name }) => visible(name)));
      }),
    );
  });

  it('reads any html and text', async () => {
    const body = fc.oneof(
      asciiText,
      fc.string({ unit: 'binary', maxLength: 1500 }),
      asciiText.map((text) => `${text}é`),
    );
    await fc.assert(
      fc.asyncProperty(body, body, async (html, text) => {
        const parsed = await parse({ html: `${html}.`, text: `${text}.` });
        expect(lines(parsed.html?.trimEnd() ?? '')).toBe(lines(`${html}.`));
        expect(lines(parsed.text?.trimEnd() ?? '')).toBe(lines(`${text}.`));
      }),
    );
  });

  it('reads any attachments and their names', async () => {
    const filename = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 250 })
      // Control characters and line separators become underscores.
      .filter((name) => name.trim() === name && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name));
    await fc.assert(
      fc.asyncProperty(filename, fc.uint8Array({ maxLength: 400 }), async (name, content) => {
        const parsed = await parse({
          text: 'x',
          attachments: [{ filename: name, contentType: 'application/pdf', content }],
        });
        expect(parsed.attachments[0]?.filename).toBe(name);
        expect(Buffer.from(parsed.attachments[0]?.content as ArrayBuffer)).toEqual(Buffer.from(content));
      }),
    );
  });

  it('reads custom headers with any value', async () => {
    await fc.assert(
      fc.asyncProperty(
        unicode.filter((text) => !text.includes('=?')),
        async (value) => {
          const parsed = await parse({ headers: [['X-Custom', value]] });
          const read = parsed.headers.find(({ key }) => key === 'x-custom')?.value ?? '';
          expect(visible(decodeWords(read))).toBe(visible(value));
        },
      ),
    );
  });
});

describe('the bytes of a message', () => {
  it('are ASCII lines of at most 998 bytes that end with CRLF, for any message', () => {
    const mailboxes = fc.array(
      unicode.map((name) => ({ ...mailbox('ann@x.test'), name })),
      { maxLength: 30 },
    );
    const attachment = fc.record({
      filename: fc.string({ unit: 'binary', maxLength: 400 }),
      contentType: fc.constantFrom(
        'text/plain; charset=utf-8',
        'image/png',
        'nonsense',
        'message/rfc822',
        'a/b; c="d;e"; f=g',
      ),
      contentId: fc.option(fc.string({ unit: 'binary', maxLength: 100 }), { nil: undefined }),
      content: fc.uint8Array({ maxLength: 300 }),
    });
    const message = fc.record({
      to: mailboxes,
      cc: mailboxes,
      subject: fc.oneof(unicode, fc.string({ minLength: 900, maxLength: 3000 })),
      headers: fc.array(
        fc.tuple(fc.constantFrom('X-A', 'List-Unsubscribe', 'Bcc'), fc.oneof(unicode, fc.string({ maxLength: 3000 }))),
      ),
      html: fc.option(fc.string({ unit: 'binary', maxLength: 2000 }), { nil: undefined }),
      text: fc.option(asciiText, { nil: undefined }),
      attachments: fc.array(attachment, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(message, (fields) => {
        const written = Buffer.from(compose(fields)).toString('latin1');
        expect(written).not.toMatch(/\r(?!\n)|(?<!\r)\n|[\0\x80-\xff]/);
        expect(written.endsWith('\r\n')).toBe(true);
        expect(Math.max(...written.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
        expect(written.slice(0, written.indexOf('\r\n\r\n'))).not.toMatch(/^bcc:/im);
      }),
    );
  });

  it('have encoded words of at most 75 characters, within 76 columns', () => {
    fc.assert(
      fc.property(unicode, (subject) => {
        const head = source({ subject: `é${subject}` }).split('\r\nMessage-ID')[0] as string;
        for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
        for (const [word] of head.matchAll(/=\?[^?]*\?[QB]\?[^?]*\?=/g)) expect(word.length).toBeLessThanOrEqual(75);
      }),
    );
  });
});

function compose(fields: Partial<ComposableMessage>): Uint8Array {
  return composeMessage({
    from: mailbox('news@sender.test'),
    to: [mailbox('ann@x.test')],
    subject: 'Welcome',
    date: new Date('2026-01-02T03:04:05Z'),
    messageId: '<1@sender.test>',
    ...fields,
  });
}

function source(fields: Partial<ComposableMessage>): string {
  return Buffer.from(compose(fields)).toString();
}

function parse(fields: Partial<ComposableMessage>) {
  return PostalMime.parse(compose(fields));
}

function mailbox(text: string): Mailbox {
  return parseMailbox(text) as Mailbox;
}

/** Parsers differ in white space and control characters at both ends. The rest must be unchanged. */
function visible(text: string): string {
  return Buffer.from(text).toString().replace(/\s+/g, ' ').trim();
}

function lines(text: string): string {
  return Buffer.from(text.replace(/\r\n?/g, '\n')).toString();
}
