import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import { BrokenCsvError, CsvRecord } from '../../application/ports/csv-reader.port.js';
import { importLimits } from '../../domain/import-errors.js';
import { CsvParseReader } from './csv-parse-reader.js';

const reader = new CsvParseReader();

/** Reads a text that arrives in pieces of these sizes, in turn. */
async function read(text: string, delimiter = ',', sizes: readonly number[] = [64]): Promise<CsvRecord[]> {
  const bytes = Buffer.from(text);
  const reading = reader.open(delimiter, 1);
  const records: CsvRecord[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (sizes[turn % sizes.length] as number);
    for await (const group of reading.push(bytes.subarray(at, end))) records.push(...group);
    at = end;
  }
  return [...records, ...reading.end()];
}

const cells = (records: readonly CsvRecord[]): (readonly string[])[] => records.map((record) => record.cells);

const value = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\r\n', ' ', 'é', '漢', '😀', "'", '\t') }),
  fc.string(),
);
const table = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
const newline = fc.constantFrom('\n' as const, '\r\n' as const);
const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });

describe('the reader of CSV', () => {
  it('reads what another library writes, however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        newline,
        fc.constantFrom(',', ';', '\t', '|'),
        sizes,
        async (rows, end, delimiter, pieces) => {
          const text = Papa.unparse(rows, { newline: end, delimiter, quotes: true });
          expect(cells(await read(text, delimiter, pieces))).toEqual(rows);
        },
      ),
    );
  });

  it('reads what another library reads', async () => {
    // Without stray quotes, which each library reads in its own way, and with one kind of line end, which the other wants.
    const plain = fc.string({ unit: fc.constantFrom('a', 'b', ',', ' ', '\n', 'é') });
    const quoted = fc.array(fc.tuple(plain, fc.constantFrom('"x""y"', '"a,b"', '"two\nlines"', '""')), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(quoted, plain, sizes, async (parts, last, pieces) => {
        const text = parts.map(([before, cell]) => `${before}\n${cell},`).join('') + last;
        if (text === '') return;
        const { data } = Papa.parse<string[]>(text, { newline: '\n', delimiter: ',' });
        // The other library reads an empty line behind the last line end.
        const expected = text.endsWith('\n') && data.length > 1 ? data.slice(0, -1) : data;
        expect(cells(await read(text, ',', pieces))).toEqual(expected);
      }),
    );
  });

  it('tells where each record begins and ends, so that reading may begin again there', async () => {
    await fc.assert(
      fc.asyncProperty(table, newline, sizes, fc.nat(), async (rows, end, pieces, choice) => {
        const text = Papa.unparse(rows, { newline: end, quotes: true });
        const records = await read(text, ',', pieces);
        const { end: position, nextLine } = records[choice % records.length] as CsvRecord;
        const rest = Buffer.from(text).subarray(position).toString();
        expect(cells(await read(rest, ',', pieces))).toEqual(rows.slice((choice % records.length) + 1));
        const before = Buffer.from(text).subarray(0, position).toString();
        expect(nextLine).toBe(before.split(/\r\n|\r|\n/).length + (position === Buffer.byteLength(text) ? 1 : 0));
      }),
    );
  });

  it('takes any text without an unexpected error', async () => {
    const anything = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', '\0', '\\'), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(anything, sizes, async (text, pieces) => {
        await read(text, ',', pieces).catch((error: unknown) => expect(error).toBeInstanceOf(BrokenCsvError));
      }),
    );
  });

  it('takes stray quotes and several kinds of line ends', async () => {
    const text = 'a,He said "hi",b\r\nc,"quoted" tail,d\ne,5" nail,f\rg,h,i';
    expect(cells(await read(text))).toEqual([
      ['a', 'He said "hi"', 'b'],
      ['c', '"quoted" tail', 'd'],
      ['e', '5" nail', 'f'],
      ['g', 'h', 'i'],
    ]);
  });

  it('refuses a record that never ends, without keeping all of it', async () => {
    const reading = reader.open(',', 1);
    const piece = Buffer.alloc(64 * 1024, 'x');
    const feed = async (): Promise<void> => {
      for await (const group of reading.push(Buffer.from('a,b\nc,"'))) expect(group).toHaveLength(1);
      for (let sent = 0; sent <= 2 * importLimits.maxRecordBytes; sent += piece.length) {
        for await (const group of reading.push(piece)) expect(group).toEqual([]);
      }
    };
    await expect(feed()).rejects.toThrow(new BrokenCsvError(2, 'the row has more than 1 MB. Is a quote missing?'));
  });
});
