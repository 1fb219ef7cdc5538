import {
  daysFrom,
  readDomains,
  readDomainStats,
  readGrantError,
  readToken,
} from '../../libs/provider-reports/src/infrastructure/google/google-answers.js';
import { readSndsActivity, readSndsBlocks } from '../../libs/provider-reports/src/infrastructure/microsoft/snds-csv.js';
import { each, RemoteParser } from './remote-parser.js';

export const providerParsers: readonly RemoteParser[] = [
  {
    name: 'answers of Postmaster Tools',
    covers: ['readDomains', 'readDomainStats', 'readGrantError', 'readToken'],
    pieces: ['{', '}', '[', ']', '"', ',', '1', ':', '"metric":"spam"', '{"domainStats":['],
    examples: [
      '{"domainStats":[{"metric":"spam","value":{"doubleValue":0.1},"date":{"year":2026,"month":11,"day":3}}]}',
      '{"domains":[{"name":"domains/acme.test","permission":"READER"}],"nextPageToken":"x"}',
      '{"access_token":"x"}',
      '{"error":"invalid_grant"}',
    ],
    parse: (text) =>
      each(
        () => daysFrom(readDomainStats(text)?.items ?? []),
        () => readDomains(text),
        () => readDomains(JSON.stringify({ domains: [{ name: `domains/${text}` }], nextPageToken: text })),
        () => [readToken(text), readGrantError(text)],
        () => [readToken(JSON.stringify({ access_token: text })), readGrantError(JSON.stringify({ error: text }))],
      ),
  },
  {
    name: 'files of SNDS',
    covers: ['readSndsActivity', 'readSndsBlocks'],
    pieces: [',', '"', '\n', '1', '/', ' ', '%', '<', '\u0007', '192.0.2.1,192.0.2.2,Yes,'],
    examples: [
      '192.0.2.10,11/3/2026 1:00 AM,11/3/2026 7:00 PM,1895,1894,1890,GREEN,< 0.1%,,,0,,,',
      '192.0.2.1,192.0.2.3,Yes,"Blocked due to user complaints"',
    ],
    parse: (text) =>
      each(
        () => [readSndsActivity(text), readSndsBlocks(text)],
        () => readSndsActivity(`192.0.2.10,11/3/2026,,,,${text},GREEN,${text}`),
        () => readSndsBlocks(`192.0.2.1,192.0.2.3,Yes,${text}`),
      ),
  },
];
