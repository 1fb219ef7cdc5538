import { describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { arriving, InMemoryImportFiles } from '../../../../test/support/fakes/in-memory-contact-imports.js';
import { ColumnMap, noColumnMap } from '../domain/column-mapping.js';
import { UnreadableHeaderError } from '../domain/import-errors.js';
import { CsvParseReader } from '../infrastructure/csv/csv-parse-reader.js';
import { FileHeader, ReadHeader } from './read-header.query.js';

async function header(text: string, map: ColumnMap = noColumnMap): Promise<FileHeader> {
  const files = new InMemoryImportFiles();
  const id = newId();
  const size = await files.write(id, arriving(text, 1_000_000));
  const known = new Map([['age', 'number' as const]]);
  return new ReadHeader(files, new CsvParseReader()).read({ id, fileName: null, size, encoding: 'utf-8' }, map, known);
}

describe('the header of a file', () => {
  it('gives the delimiter, the columns and the place of the first row', async () => {
    const text = '\n"email";"last;name";Age\n';
    const map = { fields: { last_name: 'last;name' }, properties: [{ key: 'age', column: 'Age', type: undefined }] };
    expect(await header(`${text}a@x.test;b;1\n`, map)).toEqual({
      format: { encoding: 'utf-8', delimiter: ';' },
      mapping: {
        columns: ['email', 'last;name', 'Age'],
        fields: { email: 0, last_name: 1 },
        properties: [{ key: 'age', column: 2, type: 'number' }],
      },
      position: { chunk: 0, offset: text.length, line: 3 },
    });
  });

  it.each([
    ['email\na@x.test', ','],
    ['email\tname, first\n', '\t'],
    ['"a,b,c"|email\n', '|'],
    ['id;email;name\n1;a@x.test;"A, B, C, D"\n', ';'],
    ['E-MAIL,x;Email\na,b;a@x.test\n', ';'],
    ['sep=;\nemail;a,b\n', ';'],
    ['sep=\t\nemail\ta,b\n', '\t'],
  ])('%j has the delimiter %j', async (text, delimiter) => {
    expect((await header(text)).format.delimiter).toBe(delimiter);
  });

  it('finds its columns in other upper and lower case, unless there are two', async () => {
    expect((await header('EMAIL,First_Name\n')).mapping.fields).toEqual({ email: 0, first_name: 1 });
    await expect(header('Email,EMAIL\n')).rejects.toThrow('no column `email`');
  });

  it('is refused where it is missing, broken or endless', async () => {
    await expect(header('')).rejects.toThrow('The file is empty.');
    await expect(header('"email\n')).rejects.toThrow('cannot be read');
    await expect(header('x,'.repeat(1_001))).rejects.toThrow('more than 1000 columns');
    await expect(header('a`b,c\n')).rejects.toThrow("Its columns are `a'b`, `c`.");
  });

  it.each(['email,a\0b\n', 'email,\0\n', 'sep=\0\nemail\0a\n', 'sep=;\nemail;\0\n'])(
    'is refused with a NUL, which PostgreSQL cannot store: %j',
    async (text) => {
      await expect(header(text)).rejects.toThrow(UnreadableHeaderError);
    },
  );

  it.each(['\x01', '\x1f', '\x7f', '\x85'])('a control character does not divide columns: %j', async (character) => {
    await expect(header(`sep=${character}\nemail${character}a\n`)).rejects.toThrow('no column `email`');
  });
});
