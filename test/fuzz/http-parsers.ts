import { parseDomainName, parseEmailAddress, parseMailbox, parsePageRequest, parseWholeListRequest } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { parseNewName } from '../../libs/domains/src/domain/new-domain.js';
import { parseDraft } from '../../libs/emails/src/domain/draft.js';
import { parseSharedRequest } from '../../libs/emails/src/domain/shared-send-request.js';
import { checkStorable, parseExpiresIn } from '../../libs/emails/src/domain/email-fields.js';
import { parseTrackingField } from '../../libs/emails/src/domain/tracking-choice.js';
import { parseScheduledAt } from '../../libs/emails/src/infrastructure/http/scheduled-at.js';
import { decodeAttachments } from '../../libs/emails/src/infrastructure/http/attachment.request.js';
import { checkIdempotencyKey } from '../../libs/idempotency/src/domain/idempotency.js';
import { checkKeyName } from '../../libs/identity/src/domain/api-key.js';
import {
  decodeBroadcastMetricsQuery,
  decodeMetricsQuery,
} from '../../libs/insights/src/infrastructure/http/metrics.request.js';
import { JsonScanner } from '../../libs/http/src/server/body/json-scanner.js';
import { parseBody, parseScanned, plainJson } from '../../libs/http/src/server/body/parse-body.js';
import { isPublicAddress } from '../../libs/http/src/outbound/public-address.js';
import { parseTraceparent } from '../../libs/observability/src/tracing/tracing.js';
import { parseSuppressedAddress } from '../../libs/suppressions/src/domain/suppression.js';
import { machineReason } from '../../libs/tracking/src/domain/machine-rules.js';
import { isTrackable, unsubscribeLinks } from '../../libs/tracking/src/domain/tracking-plan.js';
import { SignedTrackingTokens } from '../../libs/tracking/src/infrastructure/tokens/signed-tracking-tokens.js';
import { parseEndpoint } from '../../libs/webhooks/src/domain/endpoint-url.js';
import { parseEvents, parseEventTypes } from '../../libs/webhooks/src/domain/webhook.js';
import { bytesOf, each, RemoteParser } from './remote-parser.js';

const now = new Date('2026-11-21T10:00:00Z');
const tokens = new SignedTrackingTokens(new SecretBox('ab'.repeat(32)));
const recipient = { emailId: '019a0000-0000-7000-8000-000000000000', recipientNo: 1 };

export const httpParsers: readonly RemoteParser[] = [
  {
    name: 'JSON body',
    covers: ['parseBody', 'parseScanned', 'JsonScanner', 'IntegerScanner'],
    pieces: ['{', '}', '[', ']', '"', '\\\\', '\\u0000', ',', '1', ':'],
    examples: ['{"from":"a@x.test","attachments":[{"content":"YWJj"},{"content":[1,2,3]}]}'],
    parse: (text) =>
      each(
        () => parseBody(bytesOf(text), plainJson),
        () => {
          const scanner = new JsonScanner('mark:');
          scanner.push(bytesOf(text));
          parseScanned(scanner.end(), 'mark:', plainJson);
        },
      ),
  },
  {
    name: 'merge tags and values',
    covers: ['parseSharedRequest', 'checkMergeValues'],
    pieces: ['{', '{{{', '}}}', '|', 'contact.', 'first_name', ' ', '\u2028', '.', 'a'],
    examples: ['Dear {{{contact.first_name|customer}}}, {{{unsubscribe_url}}}'],
    parse: (text) => {
      const recipients = [{ to: 'b@y.test', values: { first_name: text.slice(0, 1_000) } }];
      const content = { html: text, text };
      return parseSharedRequest({ from: 'a@x.test', subject: text.slice(0, 500), content, recipients }, now);
    },
  },
  {
    name: 'addresses of a request',
    covers: ['parseEmailAddress', 'parseMailbox', 'parseDomainName', 'parseNewName', 'parseSuppressedAddress'],
    pieces: ['@', '.', 'a', '"', '\\', '<', '>', ' ', 'é', '-'],
    examples: ['"Acme, Inc." <hello@acme.test>', 'jürgen@bücher.test', 'a.b.c@x.test'],
    parse: (text) =>
      each(
        () => [parseEmailAddress(text), parseMailbox(text), parseDomainName(text)],
        () => [
          parseMailbox(text.slice(0, 1_000)),
          parseEmailAddress(text.slice(0, 320)),
          parseDomainName(text.slice(0, 253)),
        ],
        () => parseSuppressedAddress('email', text),
        () => parseNewName(text),
      ),
  },
  {
    name: 'fields of an email',
    covers: ['parseDraft', 'decodeAttachments', 'checkHeaders', 'checkAttachments', 'checkTags', 'checkStorable'],
    pieces: ['a', ' ', '=', ';', '.', '/', '"', '<', '\t', 'é'],
    examples: ['invoice.pdf', 'text/html; charset=utf-8', 'https://x.test/a.png'],
    parse: (text) =>
      each(
        () => parseDraft({ from: text, to: [text], subject: text, text }, now),
        () =>
          parseDraft(
            {
              from: 'a@x.test',
              to: 'b@x.test',
              replyTo: text.slice(0, 1_000),
              subject: 'x',
              text,
              headers: { 'X-A': text },
            },
            now,
          ),
        () => decodeAttachments([{ content: text, filename: text, content_type: text, content_id: text }]),
        () => decodeAttachments([{ path: text, filename: 'a' }]),
        () => checkStorable('Subject', text),
        () =>
          parseDraft(
            { from: 'a@x.test', to: 'b@x.test', subject: 'x', text, tags: [{ name: text, value: text }] },
            now,
          ),
      ),
  },
  {
    name: 'moments and durations',
    covers: ['parseScheduledAt', 'parseExpiresIn', 'parseTrackingField'],
    pieces: ['1', ' ', 'in ', '10 m ', 'monday ', '1d', ':', 'last ', 'and ', 'at '],
    examples: ['in 1 hour', 'next monday at 9am', '2026-11-22T10:00:00.123+02:00', '10 minutes', 'opens, clicks'],
    parse: (text) =>
      each(
        () => parseScheduledAt(text, now),
        () => parseScheduledAt(text.slice(0, 50), now),
        () => parseScheduledAt(text.slice(0, 1_000), now),
        () => parseExpiresIn(text),
        () => parseTrackingField(text),
      ),
  },
  {
    name: 'query and headers of a request',
    covers: [
      'decodeMetricsQuery',
      'decodeBroadcastMetricsQuery',
      'parsePageRequest',
      'parseWholeListRequest',
      'parseTraceparent',
      'checkIdempotencyKey',
      'checkKeyName',
      'isPublicAddress',
    ],
    maxCharacters: 16 * 1024,
    pieces: [',', 'a', '1', ' ', 't1', ':', '-', '+', '0'],
    examples: [
      '2026-11-20T10:00:00+02:00',
      'delivered,bounced',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '::ffff:10.0.0.1',
    ],
    parse: (text) =>
      each(
        () => decodeMetricsQuery({ start_date: text }, now),
        () => decodeMetricsQuery({ timezone: text }, now),
        () => decodeMetricsQuery({ metrics: text, dimensions: [text] }, now),
        () => decodeMetricsQuery({ domain_id: text }, now),
        () => decodeBroadcastMetricsQuery({ broadcast_id: text, dimensions: [text] }, now),
        () => parsePageRequest({ limit: text, after: text.slice(0, 256) }),
        () => parseWholeListRequest({ before: text }),
        () => [parseTraceparent(text), isPublicAddress(text)],
        () => checkIdempotencyKey(text),
        () => checkKeyName(text),
      ),
  },
  {
    name: 'visits and webhooks',
    covers: ['machineReason', 'parseEndpoint', 'parseEvents', 'parseEventTypes'],
    maxCharacters: 16 * 1024,
    pieces: ['bot', ' ', 'http://', '<https://x.test>', '[', ':', '.', '%', '/', '@'],
    examples: [
      'Mozilla/5.0 (compatible; Googlebot/2.1)',
      'https://x.test/hooks',
      tokens.link({ ...recipient, url: 'https://x.test/a' }, 'l.x.test'),
    ],
    parse: (text) =>
      each(
        () => machineReason({ kind: 'click', method: 'GET', userAgent: text, purpose: text }),
        () => [tokens.readLink(text, 'l.x.test'), tokens.readPixel(text, 'l.x.test')],
        () => [...unsubscribeLinks(text)].map((link) => URL.canParse(link) && isTrackable(link, 'l.x.test', new Set())),
        () => parseEndpoint(text, { allowPrivate: false, allowsAddress: isPublicAddress }),
        () => parseEvents([text]),
        () => parseEventTypes('events', text.split(',').slice(0, 50)),
      ),
  },
];
