import { dkimKeyNames, findHtmlParts, findLinks, finishMessage, htmlWithImages, readable, withLinks } from '#mime';
import { checkMessage } from '../../libs/checks/src/domain/check-message.js';
import { CheckedMessage } from '../../libs/checks/src/domain/message-facts.js';
import { htmlFactsOf } from '../../libs/checks/src/infrastructure/parsing/html-facts.js';
import { parse as readFacts } from '../../libs/checks/src/infrastructure/parsing/message-facts.parser.js';
import { parse as parseHtmlText } from '../../libs/delivery/src/infrastructure/rendering/html-text.parser.js';
import { asciiField } from '../../libs/mime/src/ascii-field.js';
import { selectSignedFields, readHeaderFields, relaxedField } from '../../libs/mime/src/dkim-header.js';
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { readMailbox, readMailboxes } from '../../libs/mime/src/mailbox-field.js';
import { parse as parseReport } from '../../libs/feedback/src/infrastructure/report.parser.js';
import { judge } from '../../libs/feedback/src/application/judge-report.js';
import { parse as parseStored } from '../../libs/emails/src/infrastructure/mime/mime.parser.js';
import { parse as verifyDkim } from '../../libs/sandbox/src/infrastructure/dkim/dkim.parser.js';
import { summaryOf } from '../../libs/sandbox/src/infrastructure/mime/message-summary.js';
import { parse as parseShown } from '../../libs/sandbox/src/infrastructure/mime/message.parser.js';
import { readStructured } from '../../libs/mime/src/reading/structured-value.js';
import { decodeIfValid } from '../../libs/mime/src/reading/charsets.js';
import { decodeUuencoded } from '../../libs/mime/src/reading/uuencoding.js';
import { decodeTransfer } from '../../libs/mime/src/transfer-decoding.js';
import { bytesOf, RemoteParser } from './remote-parser.js';

const emailId = '019a0000-0000-7000-8000-000000000000';
const checkedMail: CheckedMessage = {
  domain: {
    name: 'x.test',
    site: 'x.test',
    isSandbox: false,
    returnPathHost: 'send.x.test',
    records: [],
    signingKeyMadeAt: null,
    brandLogo: null,
  },
  isBulk: true,
  tracksOpens: true,
  tracksClicks: true,
  createdAt: new Date(0),
  askedLinks: null,
  message: { size: 1, longestLine: 1, fields: [], signatures: [], html: null, text: null, files: [] },
};
const multipart =
  'From: a@x.test\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n' +
  'Content-Transfer-Encoding: quoted-printable\r\n\r\n<a href=3D"https://x.test">x</a>\r\n--b--\r\n';
const report =
  'From: MAILER-DAEMON@x.test\r\nSubject: Undelivered Mail\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n' +
  '--b\r\n\r\nThis is the mail system at host x.test.\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n' +
  'Reporting-MTA: dns; x.test\r\n\r\nFinal-Recipient: rfc822; b@x.test\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 No such user\r\n\r\n--b--\r\n';
const prose =
  'From: postmaster@x.test\r\nSubject: failure notice\r\n\r\nThis is the qmail-send program.\r\n<b@x.test>:\r\n550 no such user\r\n';
const mimePieces = [
  '--b\r\n',
  '\r\n',
  '\r\n\r\n',
  'Content-Type: multipart/mixed; boundary=b\r\n',
  '=',
  'a',
  '\xff',
  'Content-Type: text/html;a="',
  ' ',
];
const htmlPieces = ['<', '>', '<a href="', '"', '&', '&amp;', '<!--', '</', '<p ', '=', '<script>'].slice(0, 10);
const htmlMore = [
  '<a href="https://x.test">',
  '<ul><li>a',
  '<div style="display:none">',
  '<style>',
  '&#x',
  '&nbsp;\u200b ',
  '<p a=1 ',
  '<table><tr><td>x',
  '<pre>\n',
  '<script></',
  '\ud800',
];
const html =
  '<html><body style="display:none"><p>Hi <a href="https://x.test/?a=1&amp;b=2">x</a><ul><li>1</ul></body></html>';
const signaturePieces = ['DKIM-Signature: ', 'h=', ':', ';', '=', ' ', '\r\n', '\r\n ', 'From: ', 'a'];
const dkimRecords = new Map([['s._domainkey.x.test', 'v=DKIM1; p=MIGf']]);
const signed = `DKIM-Signature: v=1; a=rsa-sha256; d=x.test; s=s; c=relaxed/relaxed; h=From; bh=aaaa; b=bbbb\r\n${multipart}`;

export const mailParsers: readonly RemoteParser[] = [
  {
    name: 'mailboxes of a field',
    covers: ['readMailbox', 'readMailboxes', 'mailboxTokens', 'unquoted'],
    pieces: ['b,', '<', '>', '"', '(', ')', '\\', '@', ' ', ':'],
    examples: ['"Ann, B" <a@x.test>', 'Team: a@x.test (A), =?utf-8?q?B?= <b@x.test>;'],
    parse: (text) => [readMailbox(text), readMailbox(text.slice(0, 4_096)), readMailboxes([text])],
  },
  {
    name: 'field beyond ASCII',
    covers: ['asciiField'],
    pieces: ['To: ', 'é', '"', '<', ',', '=?utf-8?q?', '?=', '\r\n ', ' ', 'Subject: '],
    examples: ['Subject: Gr\xc3\xbc\xc3\x9fe\r\n', 'To: J\xc3\xb6rg <a@x.test>, "\xc3\xa4" <b@x.test>\r\n'],
    parse: (text) => asciiField(bytesOf(text)),
  },
  {
    name: 'header to be finished and signed',
    covers: ['finishMessage', 'readHeaderFields'],
    maxCharacters: 256 * 1024,
    pieces: ['a\r\n', 'a:\r\n', 'List-A: b\r\n', ' ', '\t', ':', '\r\n ', '\xc3\xa4', 'Date: \r\n', 'From \r\n'],
    examples: [multipart],
    parse: (text) => {
      const bytes = finishMessage(bytesOf(text), {
        isDropped: () => false,
        messageId: '<a@x.test>',
        date: new Date(0),
      });
      const fields = readHeaderFields(Buffer.from(bytes).toString('latin1'));
      return selectSignedFields(fields).map(({ field }) => (field === undefined ? '' : relaxedField(field.raw)));
    },
  },
  {
    name: 'html',
    covers: ['htmlToText', 'parse of delivery/html-text.parser.ts', 'scanHtml', 'findLinks'],
    pieces: htmlPieces,
    more: htmlMore,
    examples: [html],
    parse: (text) => {
      const places = findLinks(text, 100);
      withLinks(
        text,
        places,
        places.links.map(() => 'x'),
        'y',
      );
      return [parseHtmlText(Buffer.from(text)), decodeHTML(text), decodeHTMLAttribute(text)];
    },
  },
  {
    name: 'html and header of a message that is checked',
    covers: ['checkMessage'],
    pieces: htmlPieces,
    more: [...htmlMore, 'a.b', 'Re: ', 'A', '!', '商', '<'],
    examples: [html],
    parse: (text) => {
      const facts = htmlFactsOf(text, text.length);
      const names = ['from', 'reply-to', 'subject', 'message-id', 'date', 'list-unsubscribe', 'list-unsubscribe-post'];
      const fields = names.map((name) => ({ name, value: text.slice(0, 1_000) }));
      return checkMessage({
        ...checkedMail,
        message: { ...checkedMail.message, fields, html: facts, text: facts.text },
      });
    },
  },
  {
    name: 'a message that is checked',
    covers: ['parse of checks/message-facts.parser.ts'],
    hasDeadline: true,
    pieces: mimePieces,
    examples: [multipart, signed],
    parse: (text) => readFacts(bytesOf(text), { keys: dkimRecords }),
  },
  {
    name: 'html parts of a message',
    covers: ['findHtmlParts', 'decodeTransfer'],
    pieces: mimePieces,
    examples: [multipart],
    parse: (text) => {
      for (const part of findHtmlParts(bytesOf(text))) part.encode(part.text);
      return [decodeTransfer(bytesOf(text), 'quoted-printable'), decodeTransfer(bytesOf(text), 'base64')];
    },
  },
  {
    name: 'report of a mail server',
    covers: [
      'parse of feedback/report.parser.ts',
      'readReport',
      'readParts',
      'readFields',
      'readDeliveryStatus',
      'readBounceText',
      'looksLikeBounce',
      'judge',
    ],
    maxCharacters: 256 * 1024,
    pieces: [
      '--b\r\n',
      '\r\n',
      'Final-Recipient: rfc822; ',
      'user ',
      'a@',
      '=?utf-8?q?',
      '-----',
      ' ',
      '550 ',
      '5.1.1 ',
    ],
    examples: [report, prose],
    parse: (text) => judge(parseReport(bytesOf(text), { maxReturnPaths: 10 }).report, 'b@x.test'),
  },
  {
    name: 'summary for the sandbox',
    covers: ['summaryOf'],
    pieces: ['From: ', 'Subject: ', '\r\n', '\r\n ', 'b,', '<', '=?utf-8?b?', ' '],
    examples: [multipart],
    parse: (text) => summaryOf(bytesOf(text)),
  },
  {
    name: 'images in HTML',
    covers: ['htmlWithImages'],
    pieces: ['cid:', 'cid:a', 'a', '"', '<img src="cid:b">'],
    examples: ['<img src="cid:a"><img src="cid:b">'],
    parse: (text) => {
      const content = (): Buffer => Buffer.alloc(1_000);
      const files = ['a', 'b', text.slice(0, 50)].map((contentId) => {
        return { filename: null, contentType: 'image/png', contentId, contentDisposition: '', content };
      });
      return htmlWithImages(Buffer.from(text), files, 1.6 * 1024 * 1024).length;
    },
  },
  {
    name: 'keys of signatures',
    covers: ['dkimKeyNames'],
    pieces: signaturePieces,
    examples: [signed],
    parse: (text) => dkimKeyNames(bytesOf(text), 10),
  },
  {
    name: 'signatures in the sandbox',
    covers: ['parse of sandbox/dkim.parser.ts'],
    hasDeadline: true,
    pieces: signaturePieces,
    examples: [signed],
    parse: (text) => verifyDkim(bytesOf(text), { records: dkimRecords }),
  },
  {
    name: 'words and parameters of a header',
    covers: ['readable', 'decodeEncodedWords', 'decodeText', 'decodeIfValid', 'readStructured'],
    pieces: ['=?utf-8?q?', '=?', '?=', '?', '=', '*', ' ', '=?x?b?', ';', '"'],
    examples: ['=?utf-8?q?Gr=C3=BC=C3=9Fe?= =?utf-8?b?YQ==?=', 'text/html; name*0*=UTF-8\'\'a%20; name*1="b" (c)'],
    parse: (text) => [readable(text), readStructured(text), decodeIfValid(bytesOf(text), 'iso-2022-jp')],
  },
  {
    name: 'uuencoded file',
    covers: ['decodeUuencoded'],
    pieces: ['begin ', 'begin 644 a\n', 'M', '\n', '\r\n', '`', 'end\n', ' ', '#0V%T\n', '\0'],
    examples: ['begin 644 a.txt\n#0V%T\n`\nend\n'],
    parse: (text) => decodeUuencoded(bytesOf(text)),
  },
  {
    name: 'parts of a stored message',
    covers: ['readMessage', 'readStructure', 'readEntityHeader'],
    pieces: mimePieces,
    examples: [multipart],
    parse: (text) => parseStored(bytesOf(text), { emailId, wanted: 'attachments' }),
  },
  {
    name: 'body of a stored message',
    covers: ['parse of emails/mime.parser.ts'],
    pieces: mimePieces,
    examples: [multipart],
    parse: (text) => parseStored(bytesOf(text), { emailId, wanted: 'body' }),
  },
  {
    name: 'message of the sandbox',
    covers: ['parse of sandbox/message.parser.ts'],
    pieces: mimePieces,
    examples: [multipart],
    parse: (text) => parseShown(bytesOf(text), 'parts'),
  },
  {
    name: 'html of the sandbox',
    covers: [],
    pieces: mimePieces,
    examples: [multipart],
    parse: (text) => parseShown(bytesOf(text), 'html'),
  },
];
