import { checkPassword, parseUserAddress } from '../../libs/accounts/src/domain/invitation.js';
import { checkQuery, pageOf } from '../../libs/accounts/src/infrastructure/http/auth-input.js';
import { parseBreakdownKey } from '../../libs/emails/src/domain/email-breakdown.js';
import { parseBroadcastFilter } from '../../libs/broadcasts/src/domain/broadcast-filter.js';
import { parseEmailFilter } from '../../libs/emails/src/domain/email-filter.js';
import { checkDisplayName, displayNameOf, quotedName } from '../../libs/kernel/src/display-name.js';
import { isKnownAt, parsePosition } from '../../libs/live/src/domain/live-event.js';
import { parseMetadata } from '../../libs/oauth/src/domain/client.js';
import { matchesRedirectUri } from '../../libs/oauth/src/domain/redirect-uri.js';
import { parseScopes } from '../../libs/oauth/src/domain/scopes.js';
import { MultipartBody, MultipartSource } from '../../libs/http/src/server/multipart/multipart-body.js';
import { decodeAddress } from '../../libs/privacy/src/infrastructure/http/privacy.request.js';
import { parseDays } from '../../libs/reports/src/domain/report.js';
import { decodeKind } from '../../libs/reports/src/infrastructure/http/domain-report.response.js';
import { parseLogFilter } from '../../libs/request-logs/src/domain/request-log.js';
import { Readable } from 'node:stream';
import { bytesOf, each, RemoteParser } from './remote-parser.js';

const limits = { files: ['file'], maxFileBytes: 32 * 1024, maxFieldBytes: 8 * 1024, maxFields: 10 };
const multipartForm =
  '--b\r\nContent-Disposition: form-data; name="on_conflict"\r\n\r\nskip\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nemail\r\na@x.test\r\n--b--\r\n';

/** A body that has arrived as a whole. */
function multipartBody(text: string, contentType: string): MultipartBody {
  const payload = Readable.from([bytesOf(text)], { objectMode: false });
  const clock = { start: () => undefined, stop: () => undefined };
  const room = () => ({ grow: async () => undefined });
  return new MultipartBody({ payload, contentType, length: undefined, clock, room } as unknown as MultipartSource);
}

async function readAll(body: MultipartBody): Promise<void> {
  for await (const part of body.parts(limits)) {
    if (part.kind === 'field') continue;
    for await (const chunk of part.chunks) if (chunk.length === 0) break;
  }
}

export const accountParsers: readonly RemoteParser[] = [
  {
    name: 'users, teams and tools',
    covers: [
      ...['parseUserAddress', 'checkDisplayName', 'displayNameOf', 'quotedName', 'checkPassword', 'decodeAddress'],
      ...['parseMetadata', 'parseScopes', 'checkQuery'],
    ],
    pieces: ['@', '.', 'a', ' ', 'https://', ':', '/', '%', '[', 'emails:send '],
    examples: ['"Ada" <ada@x.test>', 'http://127.0.0.1:5000/callback?a=b', 'full_access emails:send'],
    parse: (text) =>
      each(
        () => parseUserAddress(text),
        () => decodeAddress({ email: text }),
        () => checkDisplayName(text),
        () => displayNameOf(text),
        () => quotedName(text),
        () => checkPassword(text),
        () => parseMetadata({ redirect_uris: [text], client_name: text }),
        () => parseMetadata({ redirect_uris: ['https://x.test'], client_name: 'a', logo_uri: text }),
        () => matchesRedirectUri(['http://127.0.0.1/callback'], text),
        () => parseScopes(text),
        () =>
          checkQuery({ token: text, callbackURL: text }, (address) => pageOf(address, 'https://x.test') !== undefined),
      ),
  },
  {
    name: 'filters of lists',
    covers: [
      ...[
        'parseEmailFilter',
        'parseBroadcastFilter',
        'parseBreakdownKey',
        'parseLogFilter',
        'parseDays',
        'decodeKind',
        'parsePosition',
      ],
    ],
    maxCharacters: 16 * 1024,
    pieces: ['a', ' ', ',', '@', ':', '.', '1', '019a0000-0000-7000-8000-000000000000,', 'sent,', '-'],
    examples: ['2026-11-20T10:00:00.123+02:00', '1763718000000.100:110:100,102', '4xx'],
    parse: (text) =>
      each(
        () => parseEmailFilter({ q: text, subject: text.slice(0, 320) }),
        () => parseEmailFilter({ q: text.slice(0, 320), recipient: text.slice(0, 320), tag: text.slice(0, 320) }),
        () => parseEmailFilter({ status: text, broadcast_id: text }),
        () => parseBroadcastFilter({ status: text, q: text.slice(0, 320) }),
        () => parseEmailFilter({ domain_id: text.split('a'), api_key_id: text }),
        () => parseEmailFilter({ created_after: text, created_before: text.slice(0, 320) }),
        () => parseLogFilter({ status: text, method: text }),
        () => [parseDays(text), parseBreakdownKey(text), decodeKind(text)],
        () => {
          const position = parsePosition(text) ?? parsePosition(text.slice(0, 2_000));
          if (position !== undefined) isKnownAt(position.snapshot, 105n);
        },
      ),
  },
  {
    name: 'multipart form',
    covers: [],
    maxCharacters: 16 * 1024,
    pieces: [
      '--b\r\n',
      '\r\n',
      '\r\n\r\n',
      '--',
      'Content-Disposition: form-data; name="',
      'a',
      ';',
      '"',
      'filename*=',
    ],
    examples: [multipartForm],
    parse: (text) => readAll(multipartBody(text, 'multipart/form-data; boundary=b')),
  },
  {
    name: 'encoded form',
    covers: ['EncodedFormParser'],
    maxCharacters: 16 * 1024,
    pieces: ['a', '=', '&', '%', '%2', '%2B', '+', '&=', '%00', '%ff'],
    examples: ['Action=SendRawEmail&RawMessage.Data=UmU%2BCg%3D%3D'],
    parse: (text) => readAll(multipartBody(text, 'application/x-www-form-urlencoded')),
  },
  {
    name: 'type of a multipart form',
    covers: [],
    maxCharacters: 16 * 1024,
    pieces: [';', '=', '"', ' ', '*0*=', "''", '%'],
    examples: ['multipart/form-data; boundary="b"', "multipart/form-data; boundary*=utf-8''b"],
    parse: (text) => readAll(multipartBody(multipartForm, text)),
  },
];
