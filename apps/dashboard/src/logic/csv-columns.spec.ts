import { expect, it } from '@jest/globals';
import { columnsOfCsv, guessedColumns } from './csv-columns.js';

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
