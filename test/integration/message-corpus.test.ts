import { describe, expect, it } from '@jest/globals';
import { lookOf } from '../../apps/dashboard/src/logic/starting-documents/look.js';
import {
  documentFrom,
  startingDocuments,
} from '../../apps/dashboard/src/logic/starting-documents/starting-documents.js';
import { checkMessage, checks } from '../../libs/checks/src/domain/check-message.js';
import type { CheckStatus } from '../../libs/checks/src/domain/finding.js';
import type { LinkReply, MailFacts } from '../../libs/checks/src/domain/message-facts.js';
import { parse } from '../../libs/checks/src/infrastructure/parsing/message-facts.parser.js';
import { parseDocument } from '../../libs/editor/src/domain/document/parse-document.js';
import { renderDocument } from '../../libs/editor/src/domain/rendering/render-document.js';
import { completeStyles } from '../../libs/editor/src/domain/styles/team-styles.js';
import { htmlToText } from '#mime';
import {
  brandLogo,
  bytesOf,
  dkimRecords,
  factsBeside,
  GivenMessage,
  ordinaryHtml,
  ordinaryText,
  unsubscribable,
  unsubscribeLink,
} from '../support/builders/message-corpus.js';

type Flaws = Readonly<Record<string, CheckStatus>>;
type Flawed = readonly [name: string, message: GivenMessage, flaws: Flaws, beside?: Parameters<typeof factsBeside>[0]];

const body = (html: string): GivenMessage => ({ html: ordinaryHtml({ body: html }) });
const withLink = (html: string): GivenMessage => body(`<a href="https://www.acme.example/">Acme</a> ${html}`);
const fields = (given: Record<string, string | null>): GivenMessage => ({ fields: given });
const file = (name: string, type = 'application/octet-stream', bytes = 1_000): GivenMessage => ({
  files: [{ name, type, bytes }],
});
const linkAnswers = (...replies: readonly LinkReply[]) => ({
  mail: { askedLinks: { asked: replies.map((reply) => ({ url: 'https://www.acme.example/', reply })), left: 0 } },
});
const bulk = { mail: { isBulk: true } };
const bulkWithLogo = (logo: Partial<typeof brandLogo>) => ({
  ...bulk,
  domain: { brandLogo: { ...brandLogo, ...logo } },
});
const bulkMail = (given: Record<string, string | null> = {}, html = unsubscribeLink): GivenMessage => ({
  fields: { ...unsubscribable, ...given },
  html: ordinaryHtml({ body: html }),
});
const image = (source: string, more = 'alt="A boat"'): string => `<img src="${source}" ${more}>`;

const manyLinks = ordinaryHtml({ body: '<a href="https://www.acme.example/">Acme</a>\r\n'.repeat(101) });

/** Each breaks one rule; where a rule cannot be broken alone, it says which others go with it. */
const flawed: readonly Flawed[] = [
  ['no signature', { signed: 'by_nobody' }, { dkim_signature: 'problem' }],
  ['a signature of another domain alone', { signed: 'by_another_domain' }, { dkim_signature: 'problem' }],
  ['bytes that were changed after signing', { signed: 'and_changed' }, { dkim_signature: 'problem' }],
  ['a key of 1,024 bits', { signed: 'with_a_short_key' }, { dkim_key_size: 'warning' }],
  [
    'a key from last year',
    {},
    { dkim_key_age: 'advice' },
    { domain: { signingKeyMadeAt: new Date('2025-11-24T00:00:00Z') } },
  ],
  ['a DKIM record that is gone', {}, { dkim_record: 'problem' }, { record: ['DKIM', 'failed'] }],
  ['an SPF record that is gone', {}, { spf: 'problem' }, { record: ['SPF', 'failed'] }],
  ['an SPF record that was there', {}, { spf: 'warning' }, { record: ['SPF', 'temporary_failure'] }],
  ['a DMARC record that is wrong', {}, { dmarc: 'warning' }, { record: ['DMARC', 'failed'] }],
  ['a foreign return path', {}, { return_path: 'warning' }, { domain: { returnPathHost: 'bounces.relay.test' } }],
  ['a sender nobody can answer', fields({ From: 'Acme <no-reply@mail.acme.example>' }), { no_reply_sender: 'advice' }],
  ['replies to nobody', fields({ 'Reply-To': 'DoNotReply@acme.example' }), { no_reply_sender: 'advice' }],
  ['replies to another domain', fields({ 'Reply-To': 'acme@freemail.example' }), { reply_to_domain: 'advice' }],
  ['a sender without a name', fields({ From: 'hello@mail.acme.example' }), { sender_name: 'advice' }],
  [
    'a name that is an address of somebody else',
    fields({ From: '"service@bank.com" <hello@mail.acme.example>' }),
    { sender_name: 'warning' },
  ],
  [
    'a name that is encoded, and an address of somebody else',
    fields({ From: '=?utf-8?b?c2VydmljZUBiYW5rLmNvbQ==?= <hello@mail.acme.example>' }),
    { sender_name: 'warning' },
  ],
  [
    'bulk mail from the domain of all mail',
    bulkMail(),
    { bulk_subdomain: 'advice', dkim_signature: 'problem' },
    { ...bulk, domain: { name: 'acme.example', returnPathHost: 'send.acme.example' } },
  ],
  [
    'bulk mail without List-Unsubscribe',
    bulkMail({ 'List-Unsubscribe': null }),
    { one_click_unsubscribe: 'problem' },
    bulk,
  ],
  ['bulk mail that asks back', bulkMail({ 'List-Unsubscribe-Post': null }), { one_click_unsubscribe: 'problem' }, bulk],
  [
    'bulk mail that is left by mail alone',
    bulkMail({ 'List-Unsubscribe': '<mailto:u@acme.example>' }),
    { one_click_unsubscribe: 'problem' },
    bulk,
  ],
  [
    'bulk mail without a link to leave it',
    bulkMail({}, '<a href="https://www.acme.example/">Acme</a>'),
    { unsubscribe_link: 'warning' },
    bulk,
  ],
  ['bulk mail of a domain that could show a logo', bulkMail(), { bimi: 'advice' }, bulkWithLogo({ host: null })],
  [
    'bulk mail with a logo that is no SVG',
    bulkMail(),
    { bimi: 'warning' },
    bulkWithLogo({ mistake: 'the address in l= is not one of an .svg file' }),
  ],
  [
    'bulk mail with a logo, and without DMARC that is enforced',
    bulkMail(),
    { bimi: 'warning' },
    bulkWithLogo({ isDmarcEnforced: false }),
  ],
  ['opens that are tracked', {}, { tracking: 'advice' }, { mail: { tracksOpens: true } }],
  ['clicks that are tracked', {}, { tracking: 'advice' }, { mail: { tracksClicks: true } }],
  ['links to others alone', body('<a href="https://shop.test/">Shop</a>'), { link_domains: 'advice' }],
  [
    'a link that shows another address',
    withLink('<a href="https://evil.test/">www.<b>bank.com</b></a>'),
    { link_text: 'problem' },
  ],
  ...[
    'https://mybank.example/…',
    'HTTPS://www.mybank.internal:8443/login',
    'http://mybank/',
    'www.mybank.example',
    'https://192.0.2.7/',
  ].map((text): Flawed => [
    `a link that shows ${text}`,
    withLink(`<a href="https://shop.acme.example/x">${text}</a>`),
    { link_text: 'problem' },
  ]),
  ['a shortened link', withLink('<a href="https://bit.ly/3x">More</a>'), { link_shorteners: 'warning' }],
  ['a link without TLS', withLink('<a href="http://www.acme.example/x">More</a>'), { link_https: 'warning' }],
  ['a link to an IPv4 address', withLink('<a href="https://192.0.2.1/">More</a>'), { link_hosts: 'problem' }],
  ['a link to an IPv6 address', withLink('<a href="https://[2001:db8::1]/">More</a>'), { link_hosts: 'problem' }],
  [
    'a link to a name in two scripts',
    withLink('<a href="https://xn--cme-5cd.example/">More</a>'),
    { link_hosts: 'problem' },
  ],
  [
    'a hundred and one links',
    { html: manyLinks, text: htmlToText(manyLinks), encoding: 'base64' },
    { link_count: 'advice' },
  ],
  [
    'a link to a page that is gone',
    {},
    { dead_links: 'warning' },
    linkAnswers({ status: 200 }, { status: 410 }, { status: 503 }),
  ],
  ['a link to a name that is gone', {}, { dead_links: 'warning' }, linkAnswers({ failure: 'unknown_name' })],
  ['a link to a host that is down', {}, { dead_links: 'advice' }, linkAnswers({ status: 200 }, { failure: 'timeout' })],
  ['html alone', { text: null }, { plain_text: 'warning' }],
  ['an empty text beside the html', { text: ' \r\n' }, { plain_text: 'warning', plain_text_matches: 'warning' }],
  ['neither html nor text', { html: null, text: null }, { plain_text: 'problem' }],
  ['a text that says something else', { text: 'Use a program that shows html.' }, { plain_text_matches: 'warning' }],
  [
    'html that Gmail cuts off',
    { html: ordinaryHtml({ paragraphs: [...ordinaryText, '<!-- -->\r\n'.repeat(12_500)] }) },
    { html_size: 'warning' },
  ],
  [
    'html that is nearly cut off',
    { html: ordinaryHtml({ paragraphs: [...ordinaryText, '<!-- -->\r\n'.repeat(10_000)] }) },
    { html_size: 'advice' },
  ],
  ['a message of 12 MB', file('film.mp4', 'video/mp4', 9_000_000), { message_size: 'warning' }],
  [
    'a form',
    withLink('<form action="https://www.acme.example/"><input name="a"></form>'),
    { active_content: 'problem' },
  ],
  ['a script', withLink('<script>alert(1)</script>'), { active_content: 'problem' }],
  ['an embedded page', withLink('<iframe src="https://www.acme.example/"></iframe>'), { active_content: 'problem' }],
  [
    'a preview of the link to the browser',
    { html: ordinaryHtml({ paragraphs: ['View this email in your browser', ...ordinaryText] }) },
    { preview_text: 'advice' },
  ],
  [
    'a preview that is hidden and of one word',
    { html: '<div style="display:none">Hi</div>', text: 'Hi' },
    { preview_text: 'advice' },
  ],
  ['a program', file('Setup.EXE'), { attachment_types: 'problem' }],
  ['a program with the ending of a document', file('invoice.pdf.js'), { attachment_types: 'problem' }],
  ['an image without alt', withLink(image('https://www.acme.example/a.png', '')), { image_alt: 'warning' }],
  [
    'an image and hardly a word',
    {
      html: ordinaryHtml({ paragraphs: ['Our new shoes are here'], body: image('https://www.acme.example/a.png') }),
      text: 'Our new shoes are here',
    },
    { image_text: 'warning' },
  ],
  ['an image without TLS', withLink(image('http://www.acme.example/a.png')), { image_https: 'warning' }],
  ['an image in the html', withLink(image('data:image/png;base64,AAAA')), { image_https: 'warning' }],
  [
    'images of 600 KB in the message',
    {
      ...withLink(image('cid:boat')),
      files: [{ name: 'boat.png', type: 'image/png', bytes: 600_000, contentId: 'boat' }],
    },
    { inline_images: 'advice' },
  ],
  ['a grid', withLink('<div style="display:grid">A</div>'), { css_support: 'warning' }],
  ['a flexible box', withLink('<div style="display:flex">A</div>'), { css_support: 'advice' }],
  [
    'a large style element',
    { html: ordinaryHtml({ head: `<style>${'.a { color: #222222 }\r\n'.repeat(900)}</style>` }) },
    { css_support: 'warning' },
  ],
  ['text that is hard to read', withLink('<p style="color:#777777">Terms</p>'), { contrast: 'advice' }],
  ['text that can hardly be seen', withLink('<p style="color:#cccccc">Terms</p>'), { contrast: 'warning' }],
  [
    'colors for daylight alone',
    {
      html: `<body style="background-color:#ffffff;color:#222222"><p>${ordinaryText.join('</p>\r\n<p>')}</p></body>`,
    },
    { dark_mode: 'advice' },
  ],
  ['no Message-ID', fields({ 'Message-ID': null }), { message_id: 'problem' }],
  ['an odd Message-ID', fields({ 'Message-ID': 'abc' }), { message_id: 'warning' }],
  ['two Message-IDs', { lines: ['Message-ID: <2@acme.example>'] }, { message_id: 'problem' }],
  ['no date', fields({ Date: null }), { date: 'problem' }],
  ['a date of last year', fields({ Date: 'Mon, 24 Nov 2025 08:00:00 +0000' }), { date: 'warning' }],
  ['a line of 1,200 bytes', withLink(`<!-- ${'x'.repeat(1_200)} -->`), { line_length: 'problem' }],
  ['no subject', fields({ Subject: null }), { subject_length: 'warning' }],
  ['a long subject', fields({ Subject: 'Your order is on its way to you '.repeat(3) }), { subject_length: 'advice' }],
  ['a subject in capitals', fields({ Subject: 'LAST CHANCE TO BUY' }), { subject_style: 'warning' }],
  ['a subject that shouts', fields({ Subject: 'It is here!!!' }), { subject_style: 'advice' }],
  ['a reply to nothing', fields({ Subject: 'Re: your order' }), { subject_reply_prefix: 'warning' }],
];

const styles = completeStyles({});
const look = lookOf(styles as never, 'https://www.acme.example/pictures/', Date.UTC(2027, 0, 1));
const assets = {
  social: () => 'https://www.acme.example/icon.png',
  countdown: () => 'https://www.acme.example/countdown.png',
};

/** A document to begin with, as a broadcast and as an email of a template. */
function ofDocument(each: (typeof startingDocuments)[number], kind: 'broadcast' | 'template'): GivenMessage {
  const { document } = parseDocument(documentFrom(each, look, kind));
  const { html } = renderDocument(document, { styles, assets, kind });
  // The values of a contact, and of a template.
  const filled = html
    .replaceAll(/\{\{\{?RESEND_UNSUBSCRIBE_URL\}\}\}?/g, 'https://links.acme.example/u/1')
    .replaceAll(/\{{2,3}[#/][^{}]{0,200}\}{2,3}/g, '')
    .replaceAll(/\{{2,3}[^{}]{0,200}\}{2,3}/g, 'Ada');
  return {
    fields: kind === 'broadcast' ? unsubscribable : {},
    html: filled,
    text: htmlToText(filled),
    encoding: 'base64',
  };
}

type Good = readonly [name: string, message: GivenMessage, beside?: Parameters<typeof factsBeside>[0]];

const good: readonly Good[] = [
  ...startingDocuments.map((each): Good => [`"${each.id}" as a broadcast`, ofDocument(each, 'broadcast'), bulk]),
  ...startingDocuments.map((each): Good => [`"${each.id}" as an email`, ofDocument(each, 'template')]),
  ['an ordinary email', {}],
  ['a text alone', { html: null }],
  ['bulk mail', bulkMail(), bulk],
  ['a reply', fields({ Subject: 'Re: your order', 'In-Reply-To': '<0@customer.example>' })],
  ['an invoice', file('invoice.pdf', 'application/pdf', 90_000)],
  ['links that all lead somewhere', {}, linkAnswers({ status: 200 }, { status: 304 })],
  ['a Japanese subject', fields({ Subject: '=?utf-8?b?44GU5rOo5paH44Gu5ZWG5ZOB44KS55m66YCB44GX44G+44GX44Gf?=' })],
];

async function flawsOf(message: GivenMessage, beside: MailFacts): Promise<Flaws> {
  const facts = await parse(await bytesOf(message), { keys: dkimRecords });
  if ('unreadable' in facts) throw new Error(facts.unreadable);
  const flaws = checkMessage({ ...beside, message: facts }).filter(
    ({ status }) => status !== 'good' && status !== 'not_measured',
  );
  return Object.fromEntries(flaws.map(({ id, status }) => [id, status]));
}

// Jest takes a parameter for which a row has no value for a callback, and waits for it: so the rows are spread.
describe('the checks of messages as bytes', () => {
  it.each(flawed)(
    'find in a message with %s what is wrong, and nothing else',
    async (...[, message, flaws, beside]: Flawed) => {
      expect(await flawsOf(message, factsBeside(beside))).toEqual(flaws);
    },
  );

  it.each(good)('find in %s nothing above advice', async (...[, message, beside]: Good) => {
    const flaws = await flawsOf(message, factsBeside(beside));
    expect(Object.entries(flaws).filter(([, status]) => status !== 'advice')).toEqual([]);
  });

  it('are all needed: each finds something in at least one message', () => {
    expect(flawed.length).toBeGreaterThanOrEqual(60);
    expect(good).toHaveLength(31);
    const found = new Set(flawed.flatMap(([, , flaws]) => Object.keys(flaws)));
    expect(checks.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
  });
});
