import { FileFormat } from '../../domain/contact-import.js';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** Line on which the record begins, and the one after its end. */
  readonly line: number;
  readonly nextLine: number;
  /** Where it ends, in bytes of UTF-8 since the reading began. */
  readonly end: number;
}

/** The text is not CSV from this line on. */
export class BrokenCsvError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads CSV (RFC 4180): any line end, line ends and delimiters in quotes, doubled quotes. Stray quotes are taken
 * literally.
 */
export abstract class CsvReader {
  /** Begins to read at the start of a record. @param line the number of its line */
  abstract open(delimiter: string, line: number): CsvReading;

  /** A chunk of a stored file as UTF-8. */
  abstract decoded(chunk: Uint8Array, encoding: FileFormat['encoding']): Uint8Array;
}

/** A reading of one file. It holds at most one record. */
export abstract class CsvReading {
  /**
   * The records that end in these bytes, in groups that took a few milliseconds each: other work goes on between them.
   * Throws BrokenCsvError for a record that is too large.
   */
  abstract push(bytes: Uint8Array): AsyncGenerator<readonly CsvRecord[]>;

  /** The last record, if no line end follows it. Throws BrokenCsvError if a quote is not closed. */
  abstract end(): readonly CsvRecord[];
}
