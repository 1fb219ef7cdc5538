import { decodeBase32 } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { classifyReply } from '../../libs/delivery/src/domain/classify-reply.js';
import { outcomeFromReply } from '../../libs/smtp-client/src/protocol/smtp-transaction.js';
import { capabilitiesFrom } from '../../libs/smtp-client/src/protocol/smtp-session.js';
import { dotStuffed, inspectContent, isEnvelopeAddress } from '../../libs/smtp-client/src/protocol/message-content.js';
import { SmtpProtocolError, SmtpReplyParser } from '../../libs/smtp-client/src/protocol/smtp-reply-parser.js';
import { SignedReturnPaths } from '../../libs/delivery/src/infrastructure/return-path/signed-return-paths.js';
import { readSubmissionHeader } from '../../libs/smtp/src/infrastructure/mime/submission-header.js';
import { readProxyHeader } from '../../libs/smtp/src/infrastructure/smtp/proxy-header.js';
import { bytesOf, RemoteParser } from './remote-parser.js';

const returnPaths = new SignedReturnPaths(new SecretBox('ab'.repeat(32)));
const now = new Date('2026-11-21T10:00:00Z');
const header =
  'From: Ann <a@own.test>\r\nTo: "B, C" <b@x.test>, Team: c@x.test;\r\nSubject: =?utf-8?q?Hi?=\r\nDate: x\r\n';

export const smtpParsers: readonly RemoteParser[] = [
  {
    name: 'SMTP reply',
    covers: ['capabilitiesFrom', 'classifyReply', 'SmtpReplyParser'],
    pieces: ['250-', '250 ', '\r\n', '5.1.1 ', 'AUTH=PLAIN', 'SIZE ', ' ', '550 ', 'blocked', '\xe9'],
    examples: [
      '250-mx.x.test\r\n250-SIZE 1000\r\n250-AUTH PLAIN LOGIN\r\n250 SMTPUTF8\r\n',
      '550 5.1.1 <a@x.test>: Recipient address rejected: User unknown\r\n',
    ],
    parse: (text) => {
      const bytes = bytesOf(text);
      let replies = 0;
      new SmtpReplyParser().push(bytes, bytes.length, (reply) => {
        // Maximum number of commands under way at once.
        if (++replies > 100) throw new SmtpProtocolError('a reply without a command');
        capabilitiesFrom(reply);
        if (reply.code >= 200) outcomeFromReply('rcpt', reply, { host: 'mx.x.test' }, 1);
      });
    },
    refuses: (error) => error instanceof SmtpProtocolError,
  },
  {
    name: 'text of a reply',
    covers: ['classifyReply'],
    pieces: [
      'user ',
      'deferred for',
      'proofpoint',
      'ip ',
      'exceed',
      'quota',
      'mailbox',
      'helo',
      'file type',
      'unknown',
    ],
    examples: ['Recipient address rejected: User unknown', 'Your IP address has been blocked'],
    parse: (text) => [classifyReply(550, undefined, text), classifyReply(450, '4.7.1', text)],
  },
  {
    name: 'header of a submission',
    covers: ['readSubmissionHeader', 'readHeaderFields', 'splitMessage', 'fieldValue'],
    maxCharacters: 256 * 1024,
    pieces: ['From: ', 'To: ', '\r\n', '\r\n ', 'b,', 'a:', 'a\r\n', 'X-Postrider-Tag: a=b\r\n', '=?utf-8?q?', '"'],
    examples: [header, `${header}X-Postrider-Scheduled-At: in 1 hour\r\nX-Postrider-Track: opens, clicks\r\n`],
    parse: (text) => readSubmissionHeader(bytesOf(text), now),
  },
  {
    name: 'header of a proxy',
    covers: ['readProxyHeader'],
    pieces: ['PROXY ', 'TCP4 ', '192.0.2.1 ', '25 ', '\r\n', ':', '\0', '\r\n\r\n\0\r\nQUIT\n', '\x21', '\x11'],
    examples: [
      'PROXY TCP4 192.0.2.1 192.0.2.2 4000 25\r\n',
      '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\x02\x01\xc0\0\x02\x02\x0f\xa0\0\x19',
    ],
    parse: (text) => readProxyHeader(bytesOf(text)),
  },
  {
    name: 'envelope and return path',
    covers: ['isEnvelopeAddress', 'decodeBase32'],
    pieces: ['@', '.', 'a', '"', '\\', 'bounces+', '[', 'é'],
    examples: [
      '"a b"@x.test',
      returnPaths.of({ emailId: '019a0000-0000-7000-8000-000000000000', recipientNo: 1 }, 'x.test'),
    ],
    parse: (text) => [isEnvelopeAddress(text), returnPaths.ownerOf(text), decodeBase32(text)],
  },
  {
    name: 'bytes of a message',
    covers: ['inspectContent'],
    pieces: ['\r\n', '.', '\r\n.', '\r', '\n', 'a', '\xff', '\0'],
    examples: [`${header}\r\n.body\r\n..\r\n`],
    parse: (text) => {
      const bytes = bytesOf(text);
      dotStuffed(bytes, inspectContent(bytes).dottedLines);
    },
  },
];
