import { expect, it } from '@jest/globals';
import { columnMap, columnsOfCsv, guessedColumns, textOfCsv } from './csv-columns.js';

it('columns are read with every delimiter, in quotes, and behind a byte order mark', () => {
  expect(columnsOfCsv('\ufeffemail,"Name, first",Plan\r\na@x.test,A,pro')).toEqual(['email', 'Name, first', 'Plan']);
  expect(columnsOfCsv('E-Mail;Vorname\na@x.test;A')).toEqual(['E-Mail', 'Vorname']);
  expect(columnsOfCsv('sep=|\nemail|a,b,c')).toEqual(['email', 'a,b,c']);
  expect(columnsOfCsv('email\n')).toEqual(['email']);
  expect(columnsOfCsv('')).toEqual([]);
});

it('common names are known', () => {
  expect(guessedColumns(['E-Mail', 'Vorname', 'Nachname', 'Tarif'])).toEqual({
    email: 'E-Mail',
    first_name: 'Vorname',
    last_name: 'Nachname',
  });
  expect(guessedColumns(['Mailbox']).email).toBe('Mailbox');
  expect(guessedColumns(['a']).email).toBeUndefined();
});

it('the exports of other services say who unsubscribed', () => {
  expect(guessedColumns(['Email Address', 'First Name', 'UNSUB_TIME', 'Status'])).toMatchObject({
    email: 'Email Address',
    unsubscribed: undefined,
  });
  expect(guessedColumns(['Email', 'Unsubscribed']).unsubscribed).toBe('Unsubscribed');
  expect(guessedColumns(['Accepts Email Marketing', 'Customer mail'])).toMatchObject({
    email: 'Customer mail',
    subscribed: 'Accepts Email Marketing',
  });
  expect(guessedColumns(['電子メール', 'Prénom', 'Nom'])).toMatchObject({ first_name: 'Prénom', last_name: 'Nom' });
  expect(guessedColumns(['E-mail 1 - Label', 'E-mail 1 - Value', 'Given Name']).email).toBe('E-mail 1 - Value');
});

it('bytes are read in the encodings that spreadsheets write', () => {
  const text = 'E-Mail;Größe\r\n';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const files = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, Buffer.from(text, 'latin1')];
  for (const bytes of files) expect(columnsOfCsv(textOfCsv(bytes))).toEqual(['E-Mail', 'Größe']);
  // The part of a file that is read may end within a character.
  expect(textOfCsv(Buffer.from('Größe ö').subarray(0, -1))).toBe('Größe ');
});

it('a name may break over lines in quotes, and a repeated name is no column, since nothing says which is meant', () => {
  expect(columnsOfCsv('email,"Lead\nsource",Note,Note,,\na@x.test')).toEqual(['email', 'Lead\nsource']);
  expect(columnsOfCsv('\r\n\nemail,Plan\n')).toEqual(['email', 'Plan']);
});

it('every other column becomes a property with a key of its own', () => {
  const columns = ['email', 'Email', 'Größe', 'E-Mail 2', 'E Mail 2', '名前', '年齢', 'x'.repeat(60), 'x'.repeat(61)];
  const { properties } = columnMap(columns, { email: 'email', unsubscribed: undefined });
  expect(Object.entries(properties ?? {}).map(([key, { column }]) => [key, column])).toEqual([
    ['email_2', 'Email'],
    ['gro_e', 'Größe'],
    ['e_mail_2', 'E-Mail 2'],
    ['e_mail_2_2', 'E Mail 2'],
    ['column', '名前'],
    ['column_2', '年齢'],
    ['x'.repeat(50), 'x'.repeat(60)],
    [`${'x'.repeat(48)}_2`, 'x'.repeat(61)],
  ]);
  expect(columnMap(['email'], { email: 'email' })).toEqual({ email: 'email' });
});
