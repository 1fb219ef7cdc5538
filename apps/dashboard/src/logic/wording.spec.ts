import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/**
 * Wordings that a native speaker would not write, or that have another word in docs/glossary.md. English ones are also
 * searched in the files of the server that people read.
 */
const refused: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /\banew\b/i,
    /\bwhoever\b|\bsomebody\b/i,
    /\bin vain\b|\bso many\b|\bdear\b/i,
    /\btook it\b|\bhas taken it\b/i,
    /\bcontacts? decided\b|\bget nothing\b|\bwho gets\b/i,
    /\btried again in\b|\bagain in now\b/i,
    /\bthey hold for\b|\bholds? here\b|\bof these holds?\b/i,
    /\bit acts as you\b|\bthat is chosen\b/i,
    /\bthe hour where they are\b|\bwhere the contact is\b/i,
    /\bstands? (?:behind|in the content)\b/i,
    /\bagreeing on abilities\b/i,
    /\bwhy, for the\b/i,
    /\bfor good\b|\bnot here any more\b|\bany more\b/i,
    /\bbecause of the pace\b|\bthe pace of\b/i,
    /\bof yours\b|\bones? like it\b|\bthe question\b/i,
    /\bno (?:contact|segment|topic|property|import|template|broadcast|domain|route|request|webhook|API key) yet\b/i,
    /\bthe (?:contact|segment|topic|property|broadcast|template|route|email|webhook) was deleted$/i,
    /\btaken back\b|\bshown this once\b|\bI have kept\b/i,
    /\ba (?:second|minute)$/i,
    /\ba mail\b(?! (?:server|host))|(?<!-)\bmails\b/i,
    /\bId\b|\bcopy id\b/,
    /\bmake (?:an?|new) (?:API key|recovery)/i,
    /\d [%]/,
    /\bspeaks? against\b|\bin words\b|\bstands? in\b|\btakes? them when\b|\bis enough\b|\bfast time\b|\bha(?:s|ve) spread\b/i,
    /\blead nowhere\b|\blooked at in time\b|\bthere are 1\b/i,
  ],
  de: [
    /\bRundmail|\bRundsendung/,
    /\b(?:an)(?:ge)?leg(?:en|t)\b/i,
    /\bgültig bis\b|\bspricht (?:gegen|dagegen)\b/,
    /\babgeprallt|\bzurückgekommen|\bprallen\b/i,
    /\bunterdrück/i,
    /\bentschieden\b/i,
    /\bbeginnt neu\b/i,
    /\bZustand\b/,
    /(?<!-)\bMails\b/,
    /\berzeug(?:t|en)\b/i,
    /\bje (?:Sekunde|Minute|Zeile|Stapel)\b/,
    /\bWer nichts\b|\bWer dazu/,
    /\bId\b/,
    /\bwurde gelöscht$/,
  ],
  ja: [/抑止/, /[ぁ-んァ-ヶ一-龠][A-Za-z0-9{]/u, /[A-Za-z0-9}][ぁ-んァ-ヶ一-龠]/u, /配信停止リスト/, /件を判定$/],
};

/** Files of the server with texts for people. */
const serverFiles = [
  'libs/accounts/src/application/account-mail.ts',
  ...['appearance', 'authentication', 'bulk', 'content', 'header', 'images', 'links', 'sender'].map(
    (checks) => `libs/checks/src/domain/checks/${checks}.ts`,
  ),
  'libs/domains/src/domain/advice.ts',
  'libs/oauth/src/application/report-reuse.ts',
  'libs/oauth/src/infrastructure/http/consent-page.ts',
  'libs/observability/src/disk/disk-notices.ts',
  'libs/sandbox/src/infrastructure/http/page/inbox-page.ts',
  'libs/sandbox/src/infrastructure/http/page/message-page.ts',
  'libs/sandbox/src/infrastructure/http/page/notice-pages.ts',
  'libs/unsubscribe/src/infrastructure/http/page/page-texts.ts',
  'libs/webhooks/src/domain/failures.ts',
];

const folder = 'apps/dashboard/src/words';

function catalogue(language: string): [place: string, text: string][] {
  const texts: [string, string][] = [];
  const collect = (value: unknown, place: string): void => {
    if (typeof value === 'string') texts.push([place, value]);
    else for (const [name, inner] of Object.entries(value as object)) collect(inner, `${place}.${name}`);
  };
  for (const part of readdirSync(join(folder, language))) {
    collect(JSON.parse(readFileSync(join(folder, language, part), 'utf8')), `${language}/${part.replace('.json', '')}`);
  }
  return texts;
}

/** The strings of a source file, without its comments and its code. */
function stringsOf(file: string): [place: string, text: string][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const source = lines.filter((line) => !/^(?:\/\/|\/\*|\*)/.test(line.trim())).join('\n');
  return [...source.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, quoted, template]) => [file, quoted ?? template ?? '']);
}

const faults = (texts: readonly (readonly [string, string])[], language: string): string[] =>
  texts.filter(([, text]) => refused[language]?.some((wording) => wording.test(text))).map((each) => each.join(': '));

it.each(['en', 'de', 'ja'])('the catalogue in %s has no wording that a native speaker would not write', (language) => {
  expect(faults(catalogue(language), language)).toEqual([]);
});

it.each(serverFiles)('%s has no such wording either', (file) => {
  expect(stringsOf(file).length).toBeGreaterThan(3);
  expect(faults(stringsOf(file), 'en')).toEqual([]);
});
