import { parseContactAddress } from '../../libs/audience/src/domain/contact.js';
import { parseFilter } from '../../libs/audience/src/domain/filters/parse-filter.js';
import { checkKey, checkSize, checkValue, checkValues } from '../../libs/audience/src/domain/property.js';
import { decodeSegmentMetrics } from '../../libs/audience/src/infrastructure/http/segment-insights.request.js';
import { BrokenCsvError } from '../../libs/contact-imports/src/application/ports/csv-reader.port.js';
import { expectedColumns, mappingOf, noColumnMap } from '../../libs/contact-imports/src/domain/column-mapping.js';
import { rowOf } from '../../libs/contact-imports/src/domain/row.js';
import { detectDelimiter } from '../../libs/contact-imports/src/domain/text/delimiter.js';
import { TextChunks } from '../../libs/contact-imports/src/domain/text/text-chunks.js';
import { CsvParseReader } from '../../libs/contact-imports/src/infrastructure/csv/csv-parse-reader.js';
import { decodeImport, decodeStatus } from '../../libs/contact-imports/src/infrastructure/http/import.request.js';
import { parseBody, plainJson } from '../../libs/http/src/server/body/parse-body.js';
import { bytesOf, each, RemoteParser } from './remote-parser.js';

const csv = new CsvParseReader();
const mapping = mappingOf(
  ['email', 'first_name', 'unsubscribed', 'seats'],
  { fields: {}, properties: [{ key: 'seats', column: 'seats', type: 'number' }] },
  new Map(),
);
const id = '019a0000-0000-7000-8000-000000000000';

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text);
}

async function readFile(text: string): Promise<void> {
  const chunks = new TextChunks();
  for await (const chunk of chunks.of(only(text))) {
    const bytes = csv.decoded(chunk, chunks.encoding);
    const start = new TextDecoder().decode(bytes);
    const reading = csv.open(detectDelimiter(start, expectedColumns(noColumnMap)), 1);
    for await (const records of reading.push(bytes)) {
      for (const { cells, line } of records) if (cells.length > 1) rowOf(cells, line, mapping);
    }
    for (const { cells, line } of reading.end()) rowOf(cells, line, mapping);
  }
}

export const audienceParsers: readonly RemoteParser[] = [
  {
    name: 'contact and its properties',
    covers: ['parseContactAddress', 'checkKey', 'checkValue', 'checkValues', 'checkSize', 'decodeSegmentMetrics'],
    pieces: ['a', '@', '.', ' ', '"', '<', 'é', '_', ',', '\0'],
    examples: ['ada@x.test', '"Ada" <ada@x.test>', `all_contacts,${id}`],
    parse: (text) =>
      each(
        () => parseContactAddress('email', text),
        () => checkKey(text),
        () => checkValue(text, 'string', text),
        () => checkValues({ [text]: text, plan: text }, { plan: 'string' }),
        () => checkSize({ plan: text }),
        () => decodeSegmentMetrics({ metrics: text, dimensions: [text], segment_id: text }),
        () => decodeSegmentMetrics({ segment_id: text, sort_by: text, sort_order: text }),
      ),
  },
  {
    name: 'filter of a segment',
    covers: ['parseFilter'],
    pieces: [
      '{"type":"not","rule":',
      '{"type":"and","rules":[',
      ']}',
      '}',
      '"',
      ',',
      '{"type":"rule","field":"',
      '1',
      '.',
    ],
    examples: [
      '{"type":"and","rules":[{"type":"rule","field":"contact.properties.plan","operator":"eq","value":"pro"}]}',
      '{"type":"not","rule":{"type":"rule","field":"contact.created_at","operator":"gt","value":"2026-11-01T10:00:00Z"}}',
    ],
    parse: (text) =>
      each(
        () => parseFilter(parseBody(bytesOf(text), plainJson)),
        () => parseFilter({ type: 'rule', field: text, operator: 'eq', value: 'a' }),
        () => parseFilter({ type: 'rule', field: `contact.properties.${text}`, operator: text, value: text }),
        () => parseFilter({ type: 'rule', field: 'contact.email', operator: 'contains', value: text }),
        () => parseFilter({ type: 'rule', field: 'contact.created_at', operator: 'gt', value: text }),
      ),
  },
  {
    name: 'CSV file of contacts',
    covers: ['CsvParseReader'],
    // A quarter of a piece, after which the reader pauses, so that the test stays short.
    maxCharacters: 16 * 1024,
    pieces: [',', ';', '"', '""', '\r', '|', '@', '\xe9', '\0'],
    examples: [
      'email,first_name,unsubscribed,seats\r\nada@x.test,"Ada, B",no,-1.5e3\r\n',
      'email;seats\nada@x.test;"1',
    ],
    parse: readFile,
    refuses: (error) => error instanceof BrokenCsvError,
  },
  {
    name: 'form of an import',
    covers: ['decodeImport', 'decodeStatus'],
    pieces: ['{', '}', '[', ']', '"', ',', ':', '{"email":"', 'a'],
    examples: [
      '{"email":"Mail","properties":{"plan":{"column":"Plan","type":"string"}}}',
      `[{"id":"${id}","subscription":"opt_in"}]`,
    ],
    parse: (text) =>
      each(
        () => decodeImport({ column_map: text }),
        () => decodeImport({ segments: text }),
        () => decodeImport({ topics: text, on_conflict: 'skip' }),
        () => decodeImport({ on_conflict: text }),
        () => decodeStatus(text),
      ),
  },
];
