import { parseAllowedIps, parseRecipientDomains } from '../../libs/identity/src/domain/key-policies.js';
import { Networks, parseNetwork } from '../../libs/identity/src/domain/networks.js';
import { eventQuery, readPageToken } from '../../libs/wires/src/infrastructure/http/mailgun/event-query.js';
import { RecipientVariables } from '../../libs/wires/src/infrastructure/http/mailgun/recipient-variables.js';
import { Substitutions } from '../../libs/wires/src/infrastructure/http/sendgrid/substitutions.js';
import { answerXml, errorXml, nestedParameters } from '../../libs/wires/src/infrastructure/http/ses/ses-query.js';
import { sesBodyOf } from '../../libs/wires/src/infrastructure/http/ses/ses-query-actions.js';
import { isSignedWith, parsedSignature } from '../../libs/wires/src/infrastructure/http/ses/signature-v4.js';
import { basicPassword, bearerKey } from '../../libs/wires/src/infrastructure/http/wire.js';
import { momentOf, splitAddresses, tagText, textOfTag } from '../../libs/wires/src/infrastructure/http/wire-fields.js';
import { WireControlFields } from '../../libs/wires/src/infrastructure/http/wire-control-fields.js';
import { each, RemoteParser } from './remote-parser.js';

const controlFields = new WireControlFields(['mailgun', 'postmark', 'sendgrid', 'ses']);
const signed = (text: string) => ({
  method: 'POST',
  url: `/ses/v2/email/outbound-emails?${text}`,
  headers: { host: 'ses.test', 'x-amz-date': '20261130T203959Z', authorization: text },
});
const authorization =
  'AWS4-HMAC-SHA256 Credential=0193a1f4-0000-7000-8000-000000000000/20261130/us-east-1/ses/aws4_request, ' +
  `SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`;

const parametersIn = (text: string) => new Map(text.split('&').map((one) => one.split('=', 2) as [string, string]));

/** What clients of other providers send, and the rules of API keys. */
export const wireParsers: readonly RemoteParser[] = [
  {
    name: 'networks and domains of API keys',
    covers: ['parseNetwork', 'parseAllowedIps', 'parseRecipientDomains', 'checkPolicies', 'decodeKeyChanges'],
    pieces: ['1', '.', ':', '::', '/', 'f', ' ', '%', '[', 'a.'],
    examples: ['192.0.2.0/24', '2001:db8::/32', 'example.com'],
    parse: (text) =>
      each(
        () => parseNetwork(text),
        () => parseAllowedIps([text]),
        () => parseRecipientDomains([text]),
        () => new Networks(['192.0.2.0/24', '2001:db8::/32']).contain(text),
      ),
  },
  {
    name: 'addresses, moments, tags and credentials of other providers',
    covers: [],
    pieces: [',', '"', '<', '>', '\\', 'a', ' ', 'b64_', ':', '2026-11-30T'],
    examples: ['"Ada, L" <a@x.test>, b@x.test', '2026-11-30T08:00:00Z', 'Basic YXBpOnJlXzE='],
    parse: (text) =>
      each(
        () => splitAddresses(text),
        () => momentOf('date', text),
        () => textOfTag(tagText('tag', text)),
        () => basicPassword(text),
        () => bearerKey(text),
      ),
  },
  {
    name: 'events and pages of Mailgun',
    covers: ['readPageToken'],
    maxCharacters: 3_000,
    pieces: [' OR ', ' AND ', '(', ')', '"', '<', '>', 'a', 'eyJ', '='],
    examples: ['delivered OR failed', 'a AND b OR c', 'eyJnaXZlbiI6e30sImlzQmFjayI6ZmFsc2V9'],
    parse: (text) =>
      each(
        () => eventQuery({ event: text }),
        () => eventQuery({ tags: text, 'message-id': text, recipient: text }),
        () => eventQuery({ begin: text, limit: text }),
        () => readPageToken(text),
      ),
  },
  {
    name: 'variables of recipients',
    covers: [],
    pieces: ['%recipient', '%', '.a', '{{', '}', 'a', '-name-', '"', ':', ','],
    examples: ['Dear %recipient.a%, %recipient%', '{"a@x.test": {"a": "Ada"}}', 'Dear -name-'],
    parse: (text) =>
      each(
        () => RecipientVariables.of(text)?.valuesOf('a@x.test'),
        () => RecipientVariables.of('{"a@x.test":{"a":"Ada"}}')?.tagged(text),
        () => RecipientVariables.of('{"a@x.test":{"a":"Ada"}}')?.inHeaders('a@x.test', { 'X-A': text }),
        () => new Substitutions([{ '-name-': 'Ada', a: 'b' }]).tagged('content', text),
      ),
  },
  {
    name: 'control fields of other providers',
    covers: [],
    maxCharacters: 64 * 1024,
    pieces: ['{', '}', '"category"', ':', '[', ']', 'a=b,', '\\', '"', ','],
    examples: ['{"category": ["a"], "unique_args": {"a": "b"}}', 'a=b, c=d', 'Mon, 30 Nov 2026 08:00:00 GMT'],
    parse: (text) =>
      each(
        ...[
          'x-smtpapi',
          'x-mailgun-variables',
          'x-mailgun-tag',
          'x-mailgun-deliver-by',
          'x-pm-tag',
          'x-ses-message-tags',
        ].map((lowerName) => () => controlFields.read([[lowerName, text]])),
      ),
  },
  {
    name: 'parameters and answers of SES version 1',
    covers: [],
    pieces: ['Tags', '.member.', '.', '1', '9', 'Name', '=', '&', '<', '\u0001'],
    examples: ['Source=a&Tags.member.1.Name=b&Tags.member.2.Name=c', 'a & <b>'],
    parse: (text) =>
      each(
        () => nestedParameters(parametersIn(text), ['Source', 'Tags[].Name', 'Tags[].Value', 'Destinations[]']),
        () => sesBodyOf('SendBulkTemplatedEmail', parametersIn(text)),
        () => errorXml(true, 'InvalidAction', text, '1'),
        () => answerXml('SendEmail', { a: text, b: { member: [text] } }, '1'),
      ),
  },
  {
    name: 'signatures of SES',
    covers: [],
    // The head of a request.
    maxCharacters: 16 * 1024,
    pieces: ['/', ';', '=', '&', '%', ', ', 'a', '0', '%2', 'SignedHeaders='],
    examples: [authorization, 'a=b&c=%20'],
    parse: (text) => {
      const parsed = parsedSignature(signed(authorization));
      return each(
        () => parsedSignature(signed(text)),
        () => parsed && isSignedWith(['secret'], signed(text), parsed, '0'.repeat(64)),
      );
    },
  },
];
