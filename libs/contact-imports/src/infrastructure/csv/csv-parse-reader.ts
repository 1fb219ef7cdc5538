import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CsvError, Parser } from 'csv-parse';
import { utf8OfWindows1252 } from '#mime';
import { BrokenCsvError, CsvReader, CsvReading, CsvRecord } from '../../application/ports/csv-reader.port.js';
import { FileFormat } from '../../domain/contact-import.js';
import { importLimits } from '../../domain/import-errors.js';

/** Bytes that are parsed without a pause: about a millisecond, and some where each byte is a line. */
const pieceBytes = 16 * 1024;

@Injectable()
export class CsvParseReader extends CsvReader {
  open(delimiter: string, line: number): CsvReading {
    return new CsvParseReading(delimiter, line);
  }

  decoded(chunk: Uint8Array, encoding: FileFormat['encoding']): Uint8Array {
    if (encoding === 'utf-8') return chunk;
    if (encoding === 'windows-1252') return utf8OfWindows1252(chunk);
    return new TextEncoder().encode(new TextDecoder(encoding).decode(chunk));
  }
}

class CsvParseReading extends CsvReading {
  private readonly parser: RecordParser;

  constructor(delimiter: string, line: number) {
    super();
    this.parser = new RecordParser(delimiter, line);
  }

  async *push(bytes: Uint8Array): AsyncGenerator<readonly CsvRecord[]> {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (at > 0) await setImmediate();
      yield this.parser.parse(bytes.subarray(at, at + pieceBytes));
    }
  }

  end(): readonly CsvRecord[] {
    return this.parser.finish();
  }
}

/**
 * The parser of csv-parse, used without its stream: it gives each record to `push`, when `info.bytes` says where the
 * record ends. With the option `info`, which copies all its counters for each record, it takes twice as long.
 */
class RecordParser extends Parser {
  private records: CsvRecord[] = [];
  private failure: Error | null | undefined;

  constructor(
    delimiter: string,
    private line: number,
  ) {
    super({
      delimiter,
      // Found by itself, it would be the first line end of the file, and files that were put together have several.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: false,
      max_record_size: importLimits.maxRecordBytes,
    });
  }

  /** The records that end in these bytes. */
  parse(bytes: Uint8Array): readonly CsvRecord[] {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this._transform(piece, 'utf8', (error) => (this.failure = error));
    return this.taken();
  }

  finish(): readonly CsvRecord[] {
    this._flush((error) => (this.failure = error));
    return this.taken();
  }

  override push(record: unknown): boolean {
    if (!Array.isArray(record)) return false;
    const cells = record as string[];
    // Each record counts as the first one: for another number of cells than the first had, the library makes an error
    // with a stack.
    (this.info as { records: number }).records = 0;
    const { line } = this;
    this.line += 1 + cells.reduce((sum, cell) => sum + lineEndsIn(cell), 0);
    this.records.push({ cells, line, nextLine: this.line, end: this.info.bytes });
    return true;
  }

  /** Where the text is broken, the records before it come first and the error with the next call. */
  private taken(): readonly CsvRecord[] {
    const { records, failure } = this;
    this.records = [];
    if (failure == null || records.length > 0) return records;
    throw failure instanceof CsvError ? new BrokenCsvError(this.line, sentenceOf(failure)) : failure;
  }
}

function sentenceOf({ code }: CsvError): string {
  switch (code) {
    case 'CSV_MAX_RECORD_SIZE':
      return `the row has more than ${importLimits.maxRecordBytes / 1_000_000} MB. Is a quote missing?`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is opened and never closed.';
    default:
      return 'this is not CSV.';
  }
}

function lineEndsIn(cell: string): number {
  // Nearly no cell has one.
  if (!cell.includes('\n') && !cell.includes('\r')) return 0;
  return cell.split(/\r\n|\r|\n/).length - 1;
}
