import { ContactImport, FilePosition } from '../domain/contact-import.js';
import { ImportedRow, Refusal, rowOf } from '../domain/row.js';
import { BrokenCsvError, CsvReader, CsvRecord } from './ports/csv-reader.port.js';
import { ImportFiles } from './ports/import-repository.port.js';

/** Rows of a file that are written in one transaction. */
export interface ImportSlice {
  readonly rows: readonly ImportedRow[];
  readonly refusals: readonly Refusal[];
  /** Where the next slice begins. */
  readonly position: FilePosition;
}

/** Rows of a slice. The locks on their contacts are held for its transaction: some 150 ms. */
const rowsOfSlice = 8_000;
/** The same with the rows of segments and topics: each of the import is another one for each contact. */
const writtenOfSlice = 40_000;

/** Bytes of a slice, for rows that are long. */
const bytesOfSlice = 2 * 1024 * 1024;
/** Empty lines after which a slice ends, so that a file of nothing else also makes progress and keeps its lease. */
const emptyLinesOfSlice = 50_000;
/** A file with more is no list of contacts. Each of them costs as much as a short row. */
const maxEmptyLines = 1_000_000;

/** Cuts the rest of a file into slices. Holds two chunks of the file and one slice. */
export class ImportSlices {
  private rows: ImportedRow[] = [];
  private refusals: Refusal[] = [];
  private readonly starts: { readonly chunk: number; readonly at: number; readonly offset: number }[] = [];
  private read = 0;
  private emptyLines = 0;
  private emptyLinesBefore = 0;
  /** Where the slice began and how far it came, in bytes since the reading began. */
  private sliceFrom = 0;
  private sliceTo = 0;
  private position: FilePosition;
  private readonly maxRows: number;

  constructor(
    private readonly contactImport: ContactImport,
    private readonly files: ImportFiles,
    private readonly csv: CsvReader,
  ) {
    const { position, segmentIds, topics } = contactImport;
    this.position = position;
    this.maxRows = Math.min(rowsOfSlice, Math.ceil(writtenOfSlice / (1 + segmentIds.length + topics.length)));
  }

  /** Throws BrokenCsvError if the text is not CSV any more. The rows that were read before it are in `rest`. */
  async *all(): AsyncGenerator<ImportSlice> {
    const { id, format, position } = this.contactImport;
    const reading = this.csv.open(format.delimiter, position.line);
    let { chunk, offset } = position;
    for (;;) {
      const stored = await this.files.read(id, chunk);
      if (stored === undefined) break;
      const bytes = this.csv.decoded(stored, format.encoding).subarray(offset);
      this.begin(chunk, offset);
      for await (const records of reading.push(bytes)) {
        this.take(records);
        if (this.isFull()) yield this.rest();
      }
      this.read += bytes.length;
      chunk += 1;
      offset = 0;
    }
    this.begin(chunk, 0);
    this.take(reading.end());
    yield this.rest();
  }

  /** The rows that were read since the last slice. */
  rest(): ImportSlice {
    const { rows, refusals, position } = this;
    this.rows = [];
    this.refusals = [];
    this.emptyLinesBefore = this.emptyLines;
    this.sliceFrom = this.sliceTo;
    return { rows, refusals, position };
  }

  private isFull(): boolean {
    return (
      this.rows.length + this.refusals.length >= this.maxRows ||
      this.sliceTo - this.sliceFrom >= bytesOfSlice ||
      this.emptyLines - this.emptyLinesBefore >= emptyLinesOfSlice
    );
  }

  private begin(chunk: number, offset: number): void {
    this.starts.push({ chunk, at: this.read, offset });
  }

  private take(records: readonly CsvRecord[]): void {
    const { mapping, format } = this.contactImport;
    for (const { cells, line } of records) {
      // Spreadsheets write rows of nothing but delimiters where cells were cleared.
      if (cells.every((cell) => cell.trim() === '')) {
        if (++this.emptyLines > maxEmptyLines) throw new BrokenCsvError(line, 'the file has too many empty lines.');
        continue;
      }
      const result = rowOf(cells, line, mapping, format.delimiter);
      if ('row' in result) this.rows.push(result.row);
      else this.refusals.push(result.refusal);
    }
    const last = records[records.length - 1];
    if (last === undefined) return;
    this.position = this.positionOf(last);
    this.sliceTo = last.end;
  }

  /** A record may end in the chunk before the one in which its end was seen. */
  private positionOf({ end, nextLine }: CsvRecord): FilePosition {
    while (this.starts.length > 1 && (this.starts[1]?.at ?? Infinity) <= end) this.starts.shift();
    const [{ chunk, at, offset }] = this.starts as [(typeof this.starts)[number]];
    return { chunk, offset: offset + end - at, line: nextLine };
  }
}
