import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { allParsers } from '../fuzz/all-parsers.js';
import { growthTrouble } from '../fuzz/growth.js';
import { RemoteParser } from '../fuzz/remote-parser.js';

it.each(allParsers.filter(({ hasDeadline }) => hasDeadline !== true).map((parser) => [parser.name, parser] as const))(
  'takes linear time, and not much of it: %s',
  async (_, parser) => expect(await growthTrouble(parser)).toEqual([]),
);

it.each([
  ['quadratic', (text: string) => Array.from(text, (_, at) => text.indexOf('=', at))],
  ['exponential', (text: string) => new RegExp('^(?:a|a)*'.concat('$')).test(`${text.slice(0, 25)}=`)],
])('a %s parser would be seen', async (_, parse) => {
  const parser: RemoteParser = { name: '', covers: [], pieces: ['a'], examples: [], parse };
  expect(await growthTrouble(parser)).not.toEqual([]);
});

/** Read only what the operator, this program or its database wrote, or only put together what others in the list read. */
const notRemote = new Set([
  ...['readConfig', 'readCertificate', 'readPostmasterPidFile', 'findBinaries', 'parseOperatorRules', 'parseDkimKey'],
  ...['readToTheEnd', 'decodeBody', 'checkSchedule', 'checkBatch', 'checkBatchSize', 'checkQuota', 'checkRawRequest'],
  // The shapes of JSON bodies.
  ...['decodeBatch', 'decodeSendRequest', 'decodeUpdateRequest', 'decodeNewDomain', 'decodeDomainChanges'],
  ...['decodeNewWebhook', 'decodeChanges', 'decodeReplay', 'decodeAddition', 'decodeAdditions', 'decodeRemovals'],
  ...['decodeOrigin', 'capabilitiesOf'],
]);
const parserName =
  /^export (?:async )?function ((?:parse|read|decode|scan|find|classify|compare|check|capabilities)[A-Z]\w*)/gm;

it('no exported parser is missing from the list', () => {
  const files = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const exported = files.flatMap((file) =>
    Array.from(readFileSync(join('libs', file), 'utf8').matchAll(parserName), ([, name = '']) => name),
  );
  const covered = new Set(allParsers.flatMap(({ covers }) => covers));
  expect(exported.length).toBeGreaterThan(50);
  expect(exported.filter((name) => !covered.has(name) && !notRemote.has(name))).toEqual([]);
});
