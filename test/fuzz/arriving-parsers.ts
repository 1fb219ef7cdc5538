import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { DnsResolver } from '#domains';
import { SecretBox } from '#platform/secrets';
import {
  inspectHeader,
  parse as parseArrival,
} from '../../libs/inbound/src/infrastructure/mime/arrived-message.parser.js';
import { parse as parseReceived } from '../../libs/inbound/src/infrastructure/mime/received-body.parser.js';
import { parse as parseReply } from '../../libs/inbound/src/infrastructure/mime/reply-text.parser.js';
import {
  checkName,
  checkSpf,
  dmarcRecordOf,
  readPolicy,
  SenderDns,
} from '../../libs/inbound/src/infrastructure/authentication/sender-checks.js';
import { matchesAddress } from '../../libs/inbound-routes/src/domain/address-pattern.js';
import {
  parseAction,
  parseConditions,
  parseRecipient,
  parseRouteName,
} from '../../libs/inbound-routes/src/domain/new-route.js';
import {
  parseActions,
  parseFromName,
  parseInboxAddress,
  parseInboxName,
  parseInstructions,
  parseLabelColor,
  parseLabelName,
  parseSoughtAddress,
  parseTone,
} from '../../libs/inboxes/src/domain/inbox-fields.js';
import { parse as testConditions } from '../../libs/inbound-routes/src/infrastructure/messages/header-conditions.parser.js';
import { SenderRewriting } from '../../libs/inbound-routes/src/domain/forwarding.js';
import { decodeExplanation } from '../../libs/inbound-routes/src/infrastructure/http/route.request.js';
import { parse as seal } from '../../libs/inbound-routes/src/infrastructure/messages/seal.parser.js';
import { readDmarcXml } from '../../libs/reports/src/infrastructure/parsing/dmarc-xml.js';
import { NotAReportError } from '../../libs/reports/src/infrastructure/parsing/inflate.js';
import { parse as parseReport } from '../../libs/reports/src/infrastructure/parsing/report.parser.js';
import { readTlsJson } from '../../libs/reports/src/infrastructure/parsing/tls-json.js';
import { bytesOf, each, RemoteParser } from './remote-parser.js';

const contentId = '019a0000-0000-7000-8000-000000000000';
const receivedAt = new Date('2026-11-21T10:00:00Z');
const rewriting = new SenderRewriting(new SecretBox('ab'.repeat(32)));
const multipart =
  'From: "A, B" <a@x.test>\r\nTo: b@y.test\r\nMessage-ID: <1@x.test>\r\nReferences: <0@x.test> <1@x.test>\r\n' +
  'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hi<img src="cid:c">\r\n' +
  '--b\r\nContent-Type: image/png; name=a.png\r\nContent-ID: <c>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--b--\r\n';
const signed = `DKIM-Signature: v=1; a=rsa-sha256; d=x.test; s=s; c=relaxed/relaxed; h=From; bh=aaaa; b=bbbb\r\n${multipart}`;
const header = 'Received: from a\r\nAuthentication-Results: (c) mx.y.test; spf=pass\r\nFrom: a@x.test\r\n\r\n';
const xml =
  '<?xml version="1.0"?><feedback><report_metadata><org_name>X</org_name><report_id>1</report_id><date_range>' +
  '<begin>1763596800</begin><end>1763683199</end></date_range></report_metadata><policy_published><domain>x.test</domain>' +
  '<p>none</p></policy_published><record><row><source_ip>192.0.2.1</source_ip><count>2</count></row><identifiers>' +
  '<header_from>x.test</header_from></identifiers></record></feedback>';
const tlsJson =
  '{"report-id":"1","date-range":{"start-datetime":"2026-11-20T00:00:00Z","end-datetime":"2026-11-20T23:59:59Z"},"policies":' +
  '[{"policy":{"policy-type":"sts","policy-domain":"x.test"},"summary":{"total-successful-session-count":2}}]}';
const failure =
  'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n' +
  'Feedback-Type: auth-failure\r\nReported-Domain: x.test\r\nSource-IP: 192.0.2.1\r\nReporting-MTA: dns; mx.y.test\r\n\r\n--b--\r\n';
const zipped = `Content-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(xml).toString('base64')}\r\n`;
const mimePieces = [
  '--b\r\n',
  '\r\n',
  '\r\n\r\n',
  'Content-Type: multipart/mixed; boundary=b\r\n',
  '=',
  '<',
  'From: a,',
  ' ',
];

/** The DNS of a sender who writes anything into the record of each name. */
class WildDns extends DnsResolver {
  constructor(private readonly text: string) {
    super();
  }

  async ask(): Promise<never> {
    return { records: [this.text], ttl: 60, isAuthenticated: false, canonicalName: 'x.test' } as never;
  }
}

let privateKey: string | undefined;

/** Made when it is first needed, which is not in the tests. */
function signingKey(): string {
  privateKey ??= generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  return privateKey;
}

const isNoReport = (error: unknown): boolean => error instanceof NotAReportError;

export const arrivingParsers: readonly RemoteParser[] = [
  {
    name: 'message that arrives',
    covers: ['parse of inbound/arrived-message.parser.ts'],
    pieces: mimePieces,
    examples: [multipart],
    parse: async (text) => {
      inspectHeader(bytesOf(text), 'mx.y.test');
      return parseArrival(bytesOf(text), { contentId, keys: null, detects: true });
    },
  },
  {
    name: 'signatures of a message that arrives',
    covers: [],
    hasDeadline: true,
    pieces: ['DKIM-Signature: ', 'ARC-Seal: i=1; ', 'h=', ':', ';', '=', ' ', '\r\n', '\r\n ', 'From: '],
    examples: [signed],
    parse: (text) => {
      const records = new Map([['s._domainkey.x.test', { text: 'v=DKIM1; p=MIGf' }]]);
      return parseArrival(bytesOf(text), { contentId, keys: { records }, detects: false });
    },
  },
  {
    name: 'header of a message that arrives',
    covers: [],
    pieces: ['Received: ', '\r\n', '\n', '\r\n ', 'Authentication-Results: ', '(', ')', '\\', ':', '"'],
    examples: [header],
    parse: (text) => inspectHeader(bytesOf(text), 'mx.y.test'),
  },
  {
    name: 'body of a received message',
    covers: ['parse of inbound/received-body.parser.ts'],
    pieces: [...mimePieces, 'cid:c'],
    examples: [multipart],
    parse: (text) => parseReceived(bytesOf(text), { wanted: 'body', format: 'data_uri' }),
  },
  {
    name: 'reply in a received message',
    covers: ['parse of inbound/reply-text.parser.ts'],
    hasDeadline: true,
    pieces: ['> ', '\n', 'On ', ' wrote:\n', '-- \n', '_', 'From: ', ' ', '-----Original Message-----\n', 'a'],
    examples: ['Yes.\n\nOn Fri, 20 Nov 2026 at 10:00, Ada <ada@x.test> wrote:\n> Will you?\n\n-- \nBob\n'],
    parse: (text) => parseReply(bytesOf(text)),
  },
  {
    name: 'seal of a forwarded message',
    covers: ['parse of inbound-routes/seal.parser.ts'],
    hasDeadline: true,
    pieces: ['ARC-Seal: i=1; ', 'ARC-Message-Signature: ', ';', '=', ' ', '\r\n', '\r\n ', 'i=1;'],
    examples: [signed],
    parse: (text) => {
      const by = { signingDomain: 'y.test', selector: 's', privateKey: signingKey() };
      return seal(bytesOf(text), { ...by, authResults: 'mx.y.test; spf=pass', cv: 'none' });
    },
  },
  {
    name: 'conditions on a header',
    covers: ['parse of inbound-routes/header-conditions.parser.ts'],
    pieces: ['a', 'b', 'A', '\n', ' ', '"', '\\', '\0'],
    examples: ['Invoice 7'],
    parse: (text) => {
      const header = JSON.stringify([{ name: 'subject', value: text }]);
      const values = [`b${'a'.repeat(20)}`, 'invoice', 'aaa'];
      const conditions = values.map((value) => ({ header: 'subject', test: 'contains' as const, value, not: false }));
      return testConditions(new TextEncoder().encode(header), conditions);
    },
  },
  {
    name: 'records of a sender',
    covers: ['readPolicy', 'checkSpf', 'checkName'],
    // A message over TCP has 64 KB, of which a query of the same record for each look-up is made.
    pieces: ['v=spf1 ', 'include:x.test ', 'a ', 'ip4:', '%{i}', '/24 ', 'v=DMARC1;', 'p=none;', '=', ';'],
    examples: ['v=spf1 ip4:192.0.2.0/24 exists:%{ir}.x.test -all', 'v=DMARC1; p=reject; sp=none; pct=50; adkim=s'],
    parse: async (text) => {
      const client = { address: '192.0.2.1', helo: 'x.test', tls: null };
      const origin = { client, network: '192.0.2.0/24', mailFrom: 'a@x.test', isLocal: false };
      dmarcRecordOf([text]);
      readPolicy(text, true);
      return [
        await checkSpf(origin, new SenderDns(new WildDns(text)), 'mx.y.test'),
        await checkName(origin, new SenderDns(new WildDns(text))),
      ];
    },
  },
  {
    name: 'route, and addresses that it is for',
    covers: ['parsePattern', 'parseRecipient', 'parseRouteName', 'parseConditions', 'parseAction', 'decodeExplanation'],
    pieces: ['@', '*', '+*', '.', 'a', '"', ' ', ':', '1.', '\0'],
    examples: ['support+*@x.test', '*@*.x.test', 'mail.x.test', '2001:db8::1'],
    parse: (text) =>
      each(
        () => matchesAddress(parseRecipient(text), text),
        () => matchesAddress(parseRecipient('a+*@*.x.test'), text),
        () => parseRouteName(text),
        () => parseConditions([{ header: text, test: text }]),
        () => parseConditions([{ header: 'subject', value: text }]),
        () => parseAction({ type: 'forward', to: [text] }),
        () => parseAction({ type: 'smtp', host: text }),
        () => parseAction({ type: 'reject', text }),
        () => decodeExplanation({ recipient: text, headers: { [text]: text } }),
      ),
  },
  {
    name: 'fields of an inbox',
    covers: [
      ...['parseInboxAddress', 'parseSoughtAddress', 'parseInboxName', 'parseFromName', 'parseLabelName'],
      ...['parseLabelColor', 'parseInstructions', 'parseTone', 'parseActions'],
    ],
    pieces: ['@', '+', '.', 'a', '"', ' ', '<', ':', '#E5484D', '\0', '\ud800'],
    examples: ['Support@X.test', '"a b"@x.test', '#E5484D', 'Acme Support', 'archive'],
    parse: (text) =>
      each(
        () => parseInboxAddress(text),
        () => parseSoughtAddress(text),
        () => parseInboxName(text),
        () => parseFromName(text),
        () => parseLabelName(text),
        () => parseLabelColor(text),
        () => parseInstructions(text),
        () => parseTone(text),
        () => parseActions([text]),
      ),
  },
  {
    name: 'rewritten sender',
    covers: [],
    pieces: ['SRS0=', '=', '@', 'a', '+', '-', '"', '.'],
    examples: [rewriting.rewritten('ada@x.test', 'y.test', receivedAt) ?? ''],
    parse: (text) => [
      rewriting.isRewritten(text),
      rewriting.original(text, receivedAt),
      rewriting.rewritten(text, 'y.test', receivedAt),
    ],
  },
  {
    name: 'DMARC report',
    covers: ['readDmarcXml', 'readXml'],
    pieces: ['<record>', '</record>', '<', '>', '&', '<!--', '<a b="', '<![CDATA['],
    examples: [xml],
    parse: (text) => readDmarcXml(bytesOf(text)),
    refuses: isNoReport,
  },
  {
    name: 'TLS report',
    covers: ['readTlsJson'],
    pieces: ['{', '}', '[', ']', '"', ',', ':', '{"policy":'],
    examples: [tlsJson],
    parse: (text) => readTlsJson(bytesOf(text)),
    refuses: isNoReport,
  },
  {
    name: 'message with a report',
    covers: ['parse of reports/report.parser.ts', 'readFailure'],
    pieces: ['--b\r\n', '\r\n', 'Feedback-Type: auth-failure\r\n', 'Arrival-Date: ', ' ', '\x1f\x8b', '<?xml', '{'],
    examples: [failure, zipped],
    parse: async (text) => [
      await parseReport(bytesOf(text), { kind: 'failure', receivedAt }),
      await parseReport(bytesOf(text), { kind: 'dmarc', receivedAt }),
    ],
  },
];
