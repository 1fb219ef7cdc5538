import { Injectable } from '@nestjs/common';
import { ColumnMap, ColumnMapping, expectedColumns, mappingOf, PropertyTypes } from '../domain/column-mapping.js';
import { FileFormat, FilePosition } from '../domain/contact-import.js';
import { EmptyFileError, UnreadableHeaderError } from '../domain/import-errors.js';
import { detectDelimiter } from '../domain/text/delimiter.js';
import { TextEncoding } from '../domain/text/encoding.js';
import { BrokenCsvError, CsvReader, CsvRecord } from './ports/csv-reader.port.js';
import { ImportFiles } from './ports/import-repository.port.js';

/** A file that was stored, and belongs to no import yet. */
export interface StoredUpload {
  /** The id that the import gets. */
  readonly id: string;
  readonly fileName: string | null;
  readonly size: number;
  readonly encoding: TextEncoding;
}

export interface FileHeader {
  readonly format: FileFormat;
  readonly mapping: ColumnMapping;
  /** Of the first row. */
  readonly position: FilePosition;
}

/** Bytes from which the delimiter is found. */
const sampleBytes = 64 * 1024;

/**
 * The first line of a file that some programs write to name their delimiter: a character of the basic plane. Of the
 * control characters only a tab divides columns.
 */
const delimiterLine = /^sep=(\t|[^"\p{Cc}\u{10000}-\u{10ffff}])(?:\r\n|\r|\n)/iu;

/** Finds out the format of a file, and what each column holds. */
@Injectable()
export class ReadHeader {
  constructor(
    private readonly files: ImportFiles,
    private readonly csv: CsvReader,
  ) {}

  /** Throws a DomainError if the file cannot be imported in this way. */
  async read(upload: StoredUpload, map: ColumnMap, known: PropertyTypes): Promise<FileHeader> {
    const stored = await this.files.read(upload.id, 0);
    if (stored === undefined) throw new EmptyFileError();
    const bytes = this.csv.decoded(stored, upload.encoding);
    const sample = new TextDecoder().decode(bytes.subarray(0, sampleBytes), { stream: true });
    const named = delimiterLine.exec(sample);
    const skipped = new TextEncoder().encode(named?.[0] ?? '').length;
    const delimiter = named?.[1] ?? detectDelimiter(sample, expectedColumns(map));
    const line = named === null ? 1 : 2;
    const header = await this.firstRecord(bytes.subarray(skipped), delimiter, line);
    // The names are kept as jsonb, which cannot hold a NUL.
    if (header.cells.some((name) => name.includes('\0'))) throw new UnreadableHeaderError();
    return {
      format: { encoding: upload.encoding, delimiter },
      mapping: mappingOf(header.cells, map, known),
      position: { chunk: 0, offset: skipped + header.end, line: header.nextLine },
    };
  }

  /** The first record that is no empty line. It must be in the first chunk. */
  private async firstRecord(bytes: Uint8Array, delimiter: string, line: number): Promise<CsvRecord> {
    const reading = this.csv.open(delimiter, line);
    try {
      for await (const records of reading.push(bytes)) {
        const header = records.find(isNoEmptyLine);
        if (header !== undefined) return header;
      }
      const last = reading.end().find(isNoEmptyLine);
      if (last !== undefined) return last;
    } catch (error) {
      if (!(error instanceof BrokenCsvError)) throw error;
      throw new UnreadableHeaderError();
    }
    throw new EmptyFileError();
  }
}

function isNoEmptyLine({ cells }: CsvRecord): boolean {
  return cells.length > 1 || cells[0] !== '';
}
