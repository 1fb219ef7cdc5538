import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { checkMessage, checks, countsOf } from './check-message.js';
import { CheckStatus } from './finding.js';
import { CheckedMessage, Colour, FileFacts, HtmlFacts, LinkFacts, MessageFacts, RecordFacts } from './message-facts.js';

const sentence = 'Thank you for your order. It is on its way to you, and it will arrive on Friday before noon.';
const words = `${sentence} You can follow the parcel on our page, and change the day of the delivery until tomorrow.`;

const fields = (more: Readonly<Record<string, string | undefined>> = {}): MessageFacts['fields'] =>
  Object.entries({
    from: 'Acme <hello@mail.acme.example>',
    to: 'ada@customer.example',
    subject: 'Your order is on its way',
    date: 'Tue, 24 Nov 2026 08:00:00 +0000',
    'message-id': '<1@mail.acme.example>',
    ...more,
  }).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

const link = (more: Partial<LinkFacts> = {}): LinkFacts => ({
  url: 'https://www.acme.example/orders/1',
  host: 'www.acme.example',
  site: 'acme.example',
  isIpAddress: false,
  text: 'Follow the parcel',
  shownSite: null,
  ...more,
});

const html = (more: Partial<HtmlFacts> = {}): HtmlFacts => ({
  bytes: 8_000,
  styleBytes: 1_000,
  text: words,
  preview: words,
  links: [link()],
  linkCount: 1,
  images: [{ source: 'https://www.acme.example/logo.png', alt: 'Acme' }],
  imageCount: 1,
  activeElements: [],
  features: [],
  colours: [{ text: [34, 34, 34], background: [255, 255, 255], sample: 'Thank you' }],
  hasColourScheme: true,
  ...more,
});

const image: FileFacts = { filename: 'logo.png', contentType: 'image/png', isInline: true, size: 20_000 };

const message = (more: Partial<MessageFacts> = {}): MessageFacts => ({
  size: 30_000,
  longestLine: 76,
  fields: fields(),
  signatures: [{ domain: 'mail.acme.example', selector: 's1', algorithm: 'rsa-sha256', isValid: true, keyBits: 2048 }],
  html: html(),
  text: words,
  files: [image],
  ...more,
});

const records = (more: Readonly<Record<string, Partial<RecordFacts>>> = {}): RecordFacts[] =>
  ['DKIM', 'SPF', 'DMARC'].map((kind) => ({
    kind,
    name: `${kind.toLowerCase()}.mail.acme.example`,
    status: 'verified',
    advice: undefined,
    ...more[kind],
  }));

const brandLogo = { isDmarcEnforced: true, host: 'default._bimi.acme.example', mistake: null, isDeclined: false };
const domain = (more: Partial<CheckedMessage['domain']> = {}): CheckedMessage['domain'] => ({
  name: 'mail.acme.example',
  site: 'acme.example',
  isSandbox: false,
  returnPathHost: 'send.mail.acme.example',
  records: records(),
  signingKeyMadeAt: new Date('2026-09-01T00:00:00Z'),
  brandLogo,
  ...more,
});

const mail = (more: Partial<CheckedMessage> = {}): CheckedMessage => ({
  domain: domain(),
  isBulk: false,
  tracksOpens: false,
  tracksClicks: false,
  createdAt: new Date('2026-11-24T08:00:01Z'),
  askedLinks: null,
  message: message(),
  ...more,
});

const asked = (status: number) =>
  mail({ askedLinks: { asked: [{ url: 'https://a.test/', reply: { status } }], left: 0 } });
const withHtml = (more: Partial<HtmlFacts>, rest: Partial<MessageFacts> = {}): CheckedMessage =>
  mail({ message: message({ html: html(more), ...rest }) });
const withColours = (text: Colour, background: Colour): CheckedMessage =>
  withHtml({ colours: [...html().colours, { text, background, sample: 'Terms apply' }] });
const withFields = (more: Readonly<Record<string, string | undefined>>): CheckedMessage =>
  mail({ message: message({ fields: fields(more) }) });
const withLinks = (...links: readonly Partial<LinkFacts>[]): CheckedMessage =>
  withHtml({ links: links.map(link), linkCount: links.length });
const withRecords = (more: Readonly<Record<string, Partial<RecordFacts>>>): CheckedMessage =>
  mail({ domain: domain({ records: records(more) }) });
const signed = (more: Partial<MessageFacts['signatures'][number]>): CheckedMessage => {
  const [signature] = message().signatures as [MessageFacts['signatures'][number]];
  return mail({ message: message({ signatures: [{ ...signature, ...more }] }) });
};

const unsubscribable = {
  'list-unsubscribe': '<https://links.acme.example/unsubscribe/1>, <mailto:unsubscribe@acme.example>',
  'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
};
const footer = link({
  url: 'https://links.acme.example/unsubscribe/1',
  host: 'links.acme.example',
  text: 'Unsubscribe',
});
const bulkMail = (
  more: Partial<CheckedMessage> = {},
  fieldsOfBulk: Record<string, string | undefined> = {},
): CheckedMessage =>
  mail({
    isBulk: true,
    message: message({
      fields: fields({ ...unsubscribable, ...fieldsOfBulk }),
      html: html({ links: [link(), footer], linkCount: 2 }),
    }),
    ...more,
  });

/** What is neither good nor not measured. */
function flawsOf(checked: CheckedMessage): Record<string, CheckStatus> {
  const flaws = checkMessage(checked).filter(({ status }) => status !== 'good' && status !== 'not_measured');
  return Object.fromEntries(flaws.map(({ id, status }) => [id, status]));
}

const flawed: readonly (readonly [string, CheckedMessage, Record<string, CheckStatus>])[] = [
  ['no signature', mail({ message: message({ signatures: [] }) }), { dkim_signature: 'problem' }],
  ['a signature of another domain', signed({ domain: 'other.example' }), { dkim_signature: 'problem' }],
  ['a broken signature', signed({ isValid: false }), { dkim_signature: 'problem' }],
  ['a key of 1,024 bits', signed({ keyBits: 1024 }), { dkim_key_size: 'warning' }],
  ['a key of 512 bits', signed({ keyBits: 512 }), { dkim_key_size: 'problem' }],
  [
    'a key that is seven months old',
    mail({ domain: domain({ signingKeyMadeAt: new Date('2026-04-20T00:00:00Z') }) }),
    { dkim_key_age: 'advice' },
  ],
  ['no logo', bulkMail({ domain: domain({ brandLogo: { ...brandLogo, host: null } }) }), { bimi: 'advice' }],
  ['a lost DKIM record', withRecords({ DKIM: { status: 'failed' } }), { dkim_record: 'problem' }],
  ['a lost SPF record', withRecords({ SPF: { status: 'failed', advice: 'Found: nothing.' } }), { spf: 'problem' }],
  [
    'an SPF record that was there an hour ago',
    withRecords({ SPF: { status: 'temporary_failure' } }),
    { spf: 'warning' },
  ],
  [
    'no DMARC record',
    withRecords({ DMARC: { status: 'not_started', advice: 'There is none.' } }),
    { dmarc: 'warning' },
  ],
  ['a DMARC record that is wrong', withRecords({ DMARC: { status: 'failed' } }), { dmarc: 'warning' }],
  [
    'a foreign return path',
    mail({ domain: domain({ returnPathHost: 'bounces.relay.test' }) }),
    { return_path: 'warning' },
  ],
  [
    'a sender nobody can answer',
    withFields({ from: 'Acme <no-reply@mail.acme.example>' }),
    { no_reply_sender: 'advice' },
  ],
  ['answers to nobody', withFields({ 'reply-to': 'donotreply@acme.example' }), { no_reply_sender: 'advice' }],
  ['answers to another domain', withFields({ 'reply-to': 'acme@freemail.example' }), { reply_to_domain: 'advice' }],
  ['a sender without a name', withFields({ from: 'hello@mail.acme.example' }), { sender_name: 'advice' }],
  [
    'a name that shows another domain',
    withFields({ from: '"support@bank.com" <hello@mail.acme.example>' }),
    { sender_name: 'warning' },
  ],
  [
    'bulk mail from the main domain',
    bulkMail({
      domain: domain({ name: 'acme.example', site: 'acme.example', returnPathHost: 'send.acme.example' }),
      message: message({
        fields: fields(unsubscribable),
        html: html({ links: [link(), footer], linkCount: 2 }),
        signatures: [{ domain: 'acme.example', selector: 's', algorithm: 'rsa-sha256', isValid: true, keyBits: 2048 }],
      }),
    }),
    { bulk_subdomain: 'advice' },
  ],
  [
    'bulk mail without List-Unsubscribe',
    bulkMail({}, { 'list-unsubscribe': undefined }),
    { one_click_unsubscribe: 'problem' },
  ],
  [
    'bulk mail without one click',
    bulkMail({}, { 'list-unsubscribe-post': undefined }),
    { one_click_unsubscribe: 'problem' },
  ],
  [
    'bulk mail with a mailto only',
    bulkMail({}, { 'list-unsubscribe': '<mailto:u@acme.example>' }),
    { one_click_unsubscribe: 'problem' },
  ],
  [
    'bulk mail without a link to unsubscribe',
    bulkMail({ message: message({ fields: fields(unsubscribable) }) }),
    { unsubscribe_link: 'warning' },
  ],
  ['transactional mail that is tracked', mail({ tracksOpens: true, tracksClicks: true }), { tracking: 'advice' }],
  [
    'links to others only',
    withLinks({ site: 'shop.test', host: 'shop.test', url: 'https://shop.test/' }),
    { link_domains: 'advice' },
  ],
  [
    'a link that shows another address',
    withLinks({ text: 'www.bank.com', shownSite: 'bank.com' }),
    { link_text: 'problem' },
  ],
  [
    'a shortened link',
    withLinks({}, { site: 'bit.ly', host: 'bit.ly', url: 'https://bit.ly/x' }),
    { link_shorteners: 'warning' },
  ],
  ['a link without TLS', withLinks({ url: 'http://www.acme.example/' }), { link_https: 'warning' }],
  [
    'a link to an address',
    withLinks({}, { host: '192.0.2.1', site: '192.0.2.1', isIpAddress: true }),
    { link_hosts: 'problem' },
  ],
  [
    'a link to a name in two scripts',
    withLinks({}, { host: 'аcme.example', site: 'xn--cme-5cd.example' }),
    { link_hosts: 'problem' },
  ],
  ['a hundred and one links', withHtml({ linkCount: 101 }), { link_count: 'advice' }],
  ['a dead link', asked(404), { dead_links: 'warning' }],
  ['html without text', mail({ message: message({ text: null }) }), { plain_text: 'warning' }],
  [
    'neither html nor text',
    mail({ message: message({ text: null, html: null, files: [] }) }),
    { plain_text: 'problem' },
  ],
  [
    'a text of its own',
    mail({ message: message({ text: 'Please use a mail client that shows html.' }) }),
    { plain_text_matches: 'warning' },
  ],
  ['html that Gmail clips', withHtml({ bytes: 110_000 }), { html_size: 'warning' }],
  ['html that is nearly clipped', withHtml({ bytes: 90_000 }), { html_size: 'advice' }],
  ['a message of 12 MB', mail({ message: message({ size: 12_000_000 }) }), { message_size: 'warning' }],
  ['a form', withHtml({ activeElements: ['form'] }), { active_content: 'problem' }],
  [
    'a preview of the browser link',
    withHtml({ preview: 'View this email in your browser' }),
    { preview_text: 'advice' },
  ],
  ['a preview of a word', withHtml({ preview: 'Hello' }), { preview_text: 'advice' }],
  [
    'a program',
    mail({ message: message({ files: [{ ...image, filename: 'Setup.EXE', isInline: false }] }) }),
    { attachment_types: 'problem' },
  ],
  [
    'an image without alt',
    withHtml({ images: [{ source: 'https://a.test/x.png', alt: null }] }),
    { image_alt: 'warning' },
  ],
  ['images and hardly a word', withHtml({ text: 'Our new shoes' }), { image_text: 'warning' }],
  [
    'an image without TLS',
    withHtml({ images: [{ source: 'http://a.test/x.png', alt: '' }] }),
    { image_https: 'warning' },
  ],
  [
    'an image in a data URL',
    withHtml({ images: [{ source: 'data:image/png;base64,', alt: '' }] }),
    { image_https: 'warning' },
  ],
  ['heavy images', mail({ message: message({ files: [{ ...image, size: 600_000 }] }) }), { inline_images: 'advice' }],
  ['a grid', withHtml({ features: ['flex', 'grid'] }), { css_support: 'warning' }],
  ['what Outlook alone leaves out', withHtml({ features: ['flex'] }), { css_support: 'advice' }],
  ['a large style element', withHtml({ features: ['large_style'] }), { css_support: 'warning' }],
  ['text that is hard to read', withColours([119, 119, 119], [250, 250, 250]), { contrast: 'advice' }],
  ['text that can hardly be seen', withColours([200, 200, 200], [255, 255, 255]), { contrast: 'warning' }],
  ['colours for daylight alone', withHtml({ hasColourScheme: false }), { dark_mode: 'advice' }],
  ['no Message-ID', withFields({ 'message-id': undefined }), { message_id: 'problem' }],
  ['an odd Message-ID', withFields({ 'message-id': 'abc' }), { message_id: 'warning' }],
  [
    'two Message-IDs',
    mail({ message: message({ fields: [...fields(), { name: 'message-id', value: '<2@acme.example>' }] }) }),
    { message_id: 'problem' },
  ],
  ['no date', withFields({ date: undefined }), { date: 'problem' }],
  ['a date of last year', withFields({ date: 'Mon, 24 Nov 2025 08:00:00 +0000' }), { date: 'warning' }],
  ['a line of 1,200 bytes', mail({ message: message({ longestLine: 1_200 }) }), { line_length: 'problem' }],
  ['no subject', withFields({ subject: undefined }), { subject_length: 'warning' }],
  [
    'a long subject',
    withFields({ subject: 'Your order is on its way to you '.repeat(3) }),
    { subject_length: 'advice' },
  ],
  ['a subject in capitals', withFields({ subject: 'LAST CHANCE TO BUY' }), { subject_style: 'warning' }],
  ['a subject that shouts', withFields({ subject: 'It is here!!!' }), { subject_style: 'advice' }],
  ['an answer to nothing', withFields({ subject: 'Re: your order' }), { subject_reply_prefix: 'warning' }],
];

const fine: readonly (readonly [string, CheckedMessage])[] = [
  ['transactional mail', mail()],
  ['bulk mail', bulkMail()],
  ['text alone', mail({ message: message({ html: null, files: [] }) })],
  ['an answer', withFields({ subject: 'Re: your order', 'in-reply-to': '<0@customer.example>' })],
  ['bulk mail that is tracked', bulkMail({ tracksOpens: true, tracksClicks: true })],
  ['mail whose links were asked for', asked(200)],
  ['mail without links', withLinks()],
  ['html without colours', withHtml({ colours: [], hasColourScheme: false })],
  [
    'a PDF',
    mail({
      message: message({
        files: [{ filename: 'invoice.pdf', contentType: 'application/pdf', isInline: false, size: 90_000 }],
      }),
    }),
  ],
  ['a name with our own domain', withFields({ from: 'acme.example <hello@mail.acme.example>' })],
  ['a name with dots', withFields({ from: 'J.R. Smith of Node.js <hello@mail.acme.example>' })],
  [
    'a Japanese mail with an image',
    withHtml(
      {
        text: 'ご注文の商品を発送しました。金曜日の午前中にお届けする予定です。配送状況はこちらでご確認ください。',
        preview: '商品を発送しました。',
      },
      { text: 'ご注文ありがとうございます。' },
    ),
  ],
  ['a Japanese subject', withFields({ subject: 'ご注文の商品を発送しました' })],
  ['a link that shows its own address', withLinks({ text: 'www.acme.example', shownSite: 'acme.example' })],
  ['mail of the sandbox', mail({ domain: domain({ isSandbox: true, records: [] }) })],
];

describe('the checks of a message', () => {
  it.each(flawed)('%s gives these findings and no others', (_, checked, expected) => {
    expect(flawsOf(checked)).toEqual(expected);
  });

  it.each(fine)('%s gives none', (_, checked) => {
    expect(flawsOf(checked)).toEqual({});
  });

  it.each(checks.map(({ id }) => id))('%s is tried with a message that passes, and with one that does not', (id) => {
    const statuses = fine.flatMap(([, checked]) => checkMessage(checked).filter((finding) => finding.id === id));
    expect(statuses.map(({ status }) => status)).toContain('good');
    expect(flawed.some(([, , expected]) => id in expected)).toBe(true);
  });

  it('puts the worst first, and counts by status', () => {
    const findings = checkMessage(withFields({ subject: 'Re: your order', 'message-id': undefined }));
    expect(findings.slice(0, 3).map(({ status }) => status)).toEqual(['problem', 'warning', 'good']);
    const counts = countsOf(findings);
    expect(counts).toMatchObject({ problem: 1, warning: 1, advice: 0 });
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(checks.length);
  });

  it('shows text of the message on one line, cut, and without characters that change its direction', () => {
    const [finding] = checkMessage(withFields({ subject: `RE: a\r\n\u202eb${'c'.repeat(900)}` })).filter(
      ({ id }) => id === 'subject_reply_prefix',
    );
    expect(finding?.evidence).toHaveLength(300);
    expect(finding?.evidence).toMatch(/^The subject "RE: a b?/);
    expect(finding?.evidence).not.toMatch(/[\r\n\u202e]/);
  });

  it('say which mail clients leave out what, and which text is hard to read', () => {
    const evidenceOf = (checked: CheckedMessage, wanted: string): string | undefined =>
      checkMessage(checked).find(({ id }) => id === wanted)?.evidence;
    expect(evidenceOf(withHtml({ features: ['flex', 'grid', 'position'] }), 'css_support')).toBe(
      'Gmail and Outlook on Windows leave out `display: grid` and `position`.',
    );
    expect(evidenceOf(withHtml({ features: ['calc'] }), 'css_support')).toBe('Outlook on Windows leaves out `calc()`.');
    expect(evidenceOf(withColours([119, 119, 119], [255, 255, 255]), 'contrast')).toBe(
      '"Terms apply" in #777777 on #ffffff has a contrast of 4.4; most people need at least 4.5.',
    );
  });

  it('are listed in the documentation, each with its source', async () => {
    const page = await readFile('docs/insights.md', 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\|[^|]+\| \[([^\]]+)\]\(([^)]+)\)/gm)];
    expect(rows.map(([, id, title, url]) => ({ id, title, url }))).toEqual(
      checks.map(({ id, source }) => ({ id, ...source })),
    );
  });

  it('has a source and a name of its own for each check', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    expect(checks.every(({ source }) => URL.canParse(source.url))).toBe(true);
  });
});
