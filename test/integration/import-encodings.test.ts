import { expect, it } from '@jest/globals';
import { textOfCsv } from '../../apps/dashboard/src/logic/csv-columns.js';
import { legacyEncoding } from '../../libs/contact-imports/src/domain/text/encoding.js';

function encoded(text: string, encoding: string): Uint8Array {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = [...new TextDecoder(encoding).decode(bytes)];
  return Uint8Array.from([...text].map((character) => characters.indexOf(character)));
}

it.each([
  ['windows-1250', 'Imię;Nazwisko\nŁukasz;Wałęsa\nElżbieta;Dąbrowska\n'],
  ['windows-1250', 'Jméno;Příjmení\nTomáš;Dvořák\nLenka;Němcová\nJiří;Svoboda\n'],
  ['windows-1250', 'Név;Város\nErdős Pál;Győr\nKovács Gábor;Szűcsi\n'],
  ['windows-1250', 'Ime;Priimek\nŽiga;Kovačič\nŠpela;Novak\n'],
  ['windows-1251', 'Имя;Фамилия\nИван;Петров\nОлексій;Шевченко\n'],
  ['windows-1252', 'Name;Größe\nJürgen;Groß\nHélène;Besançon\n'],
  ['windows-1252', 'Nome;Nação\nJoão;São Tomé\nInês;Ações\nConceição;Nº 1\n'],
  ['windows-1252', 'Mario;Forlì\nNicolò;Cantù\n'],
  ['windows-1252', 'Simões;José\n'],
  ['windows-1252', 'Navn;By\nSøren;Århus\nBjørn;Tromsø\nÅse;Ålesund\n'],
  ['windows-1252', 'Nombre\nMuñoz\nPeña\nJosé\n½ m³ für £5\n'],
  ['windows-1252', 'Nimi\nTõnu Jõgi\nÜlle Mägi\n'],
])('tells %s by %j, as the dashboard does', (encoding, text) => {
  expect(legacyEncoding(encoded(text, encoding))).toBe(encoding);
  expect(textOfCsv(encoded(text, encoding))).toBe(text);
});

it('takes a word of Central Europe among many of the West for what it is', () => {
  const text = Buffer.from('\x8akoda\nH\xe9l\xe8ne\nC\x9cur\n\xe0 c\xf4t\xe9\nM\xeame\nPi\xe8ce\nP\xe8re\n', 'latin1');
  expect(legacyEncoding(text)).toBe('windows-1252');
});

it('tells Shift_JIS, also with narrow katakana and where the sample ends within a character', () => {
  // 名前,フリガナ / 山田太郎,ﾔﾏﾀﾞﾀﾛｳ / 東京都
  const text = '96bc914f2c8374838a834b83690a8e52936391be98592cd4cfc0dec0dbb30a938c8b9e9373';
  expect(legacyEncoding(Buffer.from(text, 'hex'))).toBe('shift_jis');
  expect(legacyEncoding(Buffer.from(text, 'hex').subarray(0, -1))).toBe('shift_jis');
  expect(textOfCsv(Buffer.from(text, 'hex'))).toContain('山田太郎,ﾔﾏﾀﾞﾀﾛｳ');
});
