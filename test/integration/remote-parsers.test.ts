import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { expect, it } from '@jest/globals';
import { allParsers } from '../fuzz/all-parsers.js';
import { GrowingInput, growingInputs } from '../fuzz/growing-inputs.js';
import { growthTrouble } from '../fuzz/growth.js';
import { RemoteParser } from '../fuzz/remote-parser.js';

it.each(allParsers.filter(({ hasDeadline }) => hasDeadline !== true).map((parser) => [parser.name, parser] as const))(
  'takes linear time, within its limit: %s',
  async (_, parser) => expect(await growthTrouble(parser)).toEqual([]),
);

/** Reads a fifth of the text only, so that the test stays short. */
function readsAgain(text: string): void {
  const end = text.length / 5;
  for (let from = 0; from < end; from++) {
    for (let at = from; at < end; at++) if (text.charCodeAt(at) === 0) return;
  }
}

/** The longest text gives 24 characters, for which the fastest machine takes 100 ms, and a quarter of it gives 6. */
function backtracks(text: string): boolean {
  return new RegExp('^(?:a|a)*'.concat('$')).test(`${text.slice(0, text.length / 2_700)}=`);
}

it.each([
  ['quadratic', readsAgain],
  ['exponential', backtracks],
])('a parser of %s time is noticed', async (_, parse) => {
  const parser: RemoteParser = { name: '', covers: [], pieces: ['a'], examples: [], parse };
  const [input] = growingInputs(parser);
  expect(await growthTrouble(parser, [input as GrowingInput])).not.toEqual([]);
});

/** Functions that read only text of the operator, this program or its database, or that only call parsers of the list. */
const notRemote = new Set([
  ...['readConfig', 'readCertificate', 'readPostmasterPidFile', 'findBinaries', 'parseOperatorRules', 'parseDkimKey'],
  'checkRelayUrl',
  'parseHostName',
  'readServiceAccount',
  ...[
    'readFrozenStack',
    'readBodyHeader',
    'readBody',
    'readBodies',
    'readProxiedClient',
    'decodeBody',
    'checkSchedule',
    'checkBatch',
    'checkBatchSize',
    'checkBodies',
    'checkQuota',
    'checkRawRequest',
  ],
  // The shapes of JSON bodies.
  ...[
    'decodeBatch',
    'decodeSendRequest',
    'decodeUpdateRequest',
    'decodeDryRunOptions',
    'decodeNewDomain',
    'decodeDomainChanges',
  ],
  ...['decodeNewWebhook', 'decodeChanges', 'decodeReplay', 'decodeAddition', 'decodeAdditions', 'decodeRemovals'],
  ...['decodeOrigin', 'capabilitiesOf', 'decodeNewTemplate', 'decodeTemplateChanges', 'decodePreview'],
  ...['decodeProfileChanges', 'readForm', 'decodeNewProperty', 'decodeFallback', 'decodeNewContact'],
  ...['decodeContactPatch', 'decodeContactTopics', 'decodeNewSegment', 'decodeSegmentName', 'decodeNewTopic'],
  ...['decodeThreadChanges', 'decodeAddedLabels', 'decodeReplacedLabels', 'decodeThreadFilter', 'decodeThreadSearch'],
  ...['decodeTopicPatch', 'decodeNewRoute', 'decodeRouteChanges', 'decodeNewBroadcast', 'decodeSending', 'decodeTest'],
  ...['decodeNewDraft', 'decodeDraftChanges', 'decodeDraftHeaders', 'decodeReply', 'decodeForward'],
  ...['decodeNewInbox', 'decodeInboxChanges', 'decodeNewLabel', 'decodeLabelChanges', 'decodeAgentChanges'],
  ...[
    'decodeAddresses',
    'checkIds',
    'decodeRecipientsQuery',
    'parseOptions',
    'decodeImageTexts',
    'decodeSearch',
    'readImageForm',
    'readQuery',
  ],
  // They delegate to parsers of the list.
  ...[
    'ReportReader',
    'ThreadedReportReader',
    'MailReportReader',
    'ThreadedMailReportReader',
    'BodyReader',
    'CsvReader',
    'MessageReader',
    'ThreadedMessageReader',
    'StyleReader',
  ],
  // They read and write lengths of texts alone.
  ...['parseAlt', 'parseImageName'],
  // It writes a message, in a thread with a deadline.
  'parse of delivery/composing.parser.ts',
  // libvips decodes images, in a thread with a deadline: test/e2e/images.test.ts.
  'parse of automations/rule.parser.ts',
  'parse of images/image.parser.ts',
  // It hashes a password of at most 128 characters.
  'parse of accounts/password-key.parser.ts',
  // They compare values that were parsed before: roles, types of routes, names in a filter.
  ...['checkMayManage', 'checkCombination', 'checkReferences', 'checkAnswerHeaders'],
  // The scanner is the operator's, and 1,000 characters of its reply are read.
  ...['VirusScanner', 'NoVirusScanner', 'ClamavVirusScanner'],
]);
const verbs = '(?:parse|read|decode|scan|find|classify|compare|check|capabilities)(?:[A-Z]\\w*)?';
/** Finds functions, arrow functions too, by the first verb of their name, and classes by the last noun of theirs. */
const parserName = new RegExp(
  `^export (?:(?:async )?function\\*? (${verbs})\\b|const (${verbs}) = (?:async )?(?:\\(|\\w+ =>)` +
    `|(?:abstract )?class (\\w*(?:Parser|Scanner|Decoder|Reader))\\b)`,
  'gm',
);

const parserLike = new RegExp(`^${verbs}$|^parse of `);

/** The entry of a parser thread is called `parse` in each of its files, and two libs may have a file of the same name. */
const nameOf = (file: string, name: string): string =>
  name === 'parse' ? `parse of ${file.split(sep, 1)[0]}/${basename(file)}` : name;

it('no exported parser is missing from the list', () => {
  const files = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const exported = files.flatMap((file) =>
    Array.from(readFileSync(join('libs', file), 'utf8').matchAll(parserName), (found) =>
      nameOf(file, found.slice(1).find((name) => name !== undefined) ?? ''),
    ),
  );
  const covered = new Set(allParsers.flatMap(({ covers }) => covers));
  expect(exported.length).toBeGreaterThan(50);
  expect(exported.filter((name) => !covered.has(name) && !notRemote.has(name))).toEqual([]);
  expect([...covered, ...notRemote].filter((name) => parserLike.test(name) && !exported.includes(name))).toEqual([]);
});
