import { DomainError, ValidationError } from '#kernel';

const megabyte = 1_000_000;

/** Size of the chunks in which a file is stored. */
export const storedChunkBytes = 512 * 1024;

export const importLimits = {
  maxFileBytes: 100 * megabyte,
  /** Of one team, queued and in progress. One of them is in progress at a time. */
  maxUnfinished: 10,
  maxColumns: 1_000,
  maxRecordBytes: megabyte,
  maxSegments: 100,
  maxTopics: 100,
  /** Refused rows that are kept for the report of one import. All of them are counted. */
  maxKeptRefusals: 100_000,
} as const;

export class NotCsvError extends ValidationError {
  constructor(kind: string) {
    super(`The file is ${kind}, not CSV. Please save it as CSV and try again.`);
  }
}

export class EmptyFileError extends ValidationError {
  constructor() {
    super('The file is empty. Its first line must name its columns.');
  }
}

export class UnreadableHeaderError extends ValidationError {
  constructor() {
    super('The first line of the file cannot be read as the names of its columns.');
  }
}

export class UnknownColumnError extends ValidationError {
  constructor(column: string, columns: readonly string[]) {
    super(`The file has no column \`${shown(column)}\`. Its columns are ${shownColumns(columns)}.`);
  }
}

export class AmbiguousColumnError extends ValidationError {
  constructor(column: string) {
    super(`The file has several columns \`${shown(column)}\`.`);
  }
}

export class TooManyColumnsError extends ValidationError {
  constructor() {
    super(`The file has more than ${importLimits.maxColumns} columns.`);
  }
}

/** The team has as many unfinished imports as it may have. */
export class TooManyImportsError extends DomainError {
  constructor() {
    super(
      'limited',
      'rate_limit_exceeded',
      `Your team has ${importLimits.maxUnfinished} imports that are not completed. Please try again after one of them is.`,
    );
  }
}

/** Texts from outside in a message: short, and without backticks, which end them. */
export function shown(text: string): string {
  const cut = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return cut.replaceAll('`', "'").toWellFormed();
}

function shownColumns(columns: readonly string[]): string {
  const names = columns.slice(0, 10).map((column) => `\`${shown(column)}\``);
  return columns.length > names.length
    ? `${names.join(', ')} and ${columns.length - names.length} more`
    : names.join(', ');
}
