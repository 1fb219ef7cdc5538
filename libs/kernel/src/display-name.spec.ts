import { expect, it } from '@jest/globals';
import { checkDisplayName, displayNameOf, isDisplayName, maxNameLength, quotedName } from './display-name.js';

const attack = 'Billing\r\n\r\nYour account is locked. Sign in at http://evil.test/now';

it.each([
  'Ada',
  'Ada Lovelace',
  'J.R. Müller',
  '山田 太郎',
  'Booking.com',
  'St. Gallen',
  'O’Neil & Söhne',
  'x'.repeat(64),
  '👩‍💻 Ada',
])('is a name: %s', (name) => expect(isDisplayName(name)).toBe(true));

it.each([
  ...['', ' ', 'x'.repeat(65), attack, 'a\u2028b', 'a\u0000b', '\ud800', 'Ada\u202egnp.exe', 'http://evil.test'],
  ...['Go to evil.test/login', 'WWW.evil.test', 'evil.test:8080/x', 'mailto:a', 'help@evil.test', 'javascript://x'],
])('is no name: %j', (name) => {
  expect(isDisplayName(name)).toBe(false);
  expect(() => checkDisplayName(name)).toThrow('without links');
});

it('a name in mail is one quoted line without a link, whatever is stored', () => {
  expect(quotedName('Ada')).toBe('"Ada"');
  expect(quotedName('Booking.com')).toBe('"Booking․com"');
  const shown = quotedName(attack.repeat(100));
  expect(shown).not.toMatch(/[\r\n]|:\/\/|\.test/);
  expect(shown.length).toBeLessThanOrEqual(maxNameLength + 2);
  expect(quotedName('a" said the service. "b')).toBe(`"a' said the service. 'b"`);
});

it('the name from a provider becomes one that may be stored', () => {
  expect(displayNameOf('Ada Lovelace')).toBe('Ada Lovelace');
  for (const name of [attack.repeat(50), '', 'www.evil.test', 'evil.test/login', 'a@b.test', '\u202e']) {
    expect(isDisplayName(displayNameOf(name))).toBe(true);
  }
});
