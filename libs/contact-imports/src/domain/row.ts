import { parseEmailAddress, storableText } from '#kernel';
import { CellType, ColumnMapping } from './column-mapping.js';

/** The contact of one row. An empty cell is absent: it leaves the value of a known contact as it is. */
export interface ImportedRow {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** In lower case. */
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly unsubscribed?: boolean;
  readonly properties: Readonly<Record<string, string | number>>;
}

/** Why a row is not imported: its first cell that cannot be used. */
export interface Refusal {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

export const rowLimits = { maxNameLength: 255, maxValueLength: 2_000, maxTogetherLength: 65_536 } as const;
export const tooLargeTogether = `The properties of the contact would have more than ${rowLimits.maxTogetherLength} characters together.`;

/** What a report keeps of a refused cell. */
const maxShownLength = 200;

/** Reads a row. Throws nothing: a row that cannot be imported is a refusal. */
export function rowOf(
  cells: readonly string[],
  line: number,
  mapping: ColumnMapping,
  delimiter = ',',
): { readonly row: ImportedRow } | { readonly refusal: Refusal } {
  const { columns, fields, properties } = mapping;
  // Programs that end each row with a delimiter do not always end the first line with one.
  const surplus = cells.length > columns.length && cells.slice(columns.length).find((cell) => cell.trim() !== '');
  if (typeof surplus === 'string') {
    const reason = `The row has ${cells.length} cells and the file ${columns.length} columns. Is a quote missing?`;
    return { refusal: { line, column: '', value: shortened(surplus), reason } };
  }
  const read: Reader = { cells, columns, hasDecimalCommas: delimiter === ';' };
  try {
    const email = addressIn(read, fields.email as number);
    const firstName = nameIn(read, fields.first_name);
    const lastName = nameIn(read, fields.last_name);
    const unsubscribed = flagIn(read, fields.unsubscribed, states) ?? flagIn(read, fields.subscribed, consents);
    return { row: { line, email, firstName, lastName, unsubscribed, properties: valuesIn(read, properties) } };
  } catch (error) {
    if (!(error instanceof CellTrouble)) throw error;
    const { column, reason } = error;
    const value = shortened(cells[column] ?? '');
    return { refusal: { line, column: columns[column] ?? '', value, reason } };
  }
}

interface Reader {
  readonly cells: readonly string[];
  readonly columns: readonly string[];
  /** Spreadsheets separate cells by semicolons where the language of their user writes numbers with commas. */
  readonly hasDecimalCommas: boolean;
}

class CellTrouble extends Error {
  constructor(
    readonly column: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

function textIn({ cells }: Reader, column: number | undefined): string | undefined {
  if (column === undefined) return undefined;
  const text = cells[column]?.trim() ?? '';
  if (text === '') return undefined;
  if (text.includes('\0')) throw new CellTrouble(column, 'The cell has NUL characters.');
  if (text.includes('\uFFFD')) throw new CellTrouble(column, 'The cell has characters that cannot be read.');
  return text;
}

function addressIn(read: Reader, column: number): string {
  const text = textIn(read, column);
  if (text === undefined) throw new CellTrouble(column, 'The address is missing.');
  const parsed = parseEmailAddress(text);
  if (parsed === undefined) throw new CellTrouble(column, 'This is not an email address.');
  return parsed.address.toLowerCase();
}

function nameIn(read: Reader, column: number | undefined): string | undefined {
  const text = textIn(read, column);
  if (text === undefined || text.length <= rowLimits.maxNameLength) return text;
  throw new CellTrouble(column as number, `The name has more than ${rowLimits.maxNameLength} characters.`);
}

/** Excel writes `TRUE` and `FALSE` in the language of its user. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1', 'wahr', 'ja', 'vrai', 'oui', 'verdadero', 'sí', 'はい'].map(
    (text) => [text, true] as const,
  ),
  ...['false', 'f', 'no', 'n', '0', 'falsch', 'nein', 'faux', 'non', 'falso', 'いいえ'].map(
    (text) => [text, false] as const,
  ),
]);

/**
 * The states that other services export instead of a flag. `pending` and the like are missing on purpose: who has not
 * confirmed is neither a subscriber nor someone who unsubscribed.
 */
const states: ReadonlyMap<string, boolean> = new Map([
  ...flags,
  ...'unsubscribed never_subscribed not_subscribed opted_out inactive cleaned bounced complained'
    .split(' ')
    .map((text) => [text, true] as const),
  ...['subscribed', 'active', 'opted_in'].map((text) => [text, false] as const),
]);

/** The same in a column such as "Accepts marketing", in which a yes means that the contact has not unsubscribed. */
const consents: ReadonlyMap<string, boolean> = new Map(
  [...states].map(([text, isUnsubscribed]) => [text, flags.has(text) !== isUnsubscribed]),
);

function flagIn(read: Reader, column: number | undefined, known = flags): boolean | undefined {
  const text = textIn(read, column);
  if (text === undefined) return undefined;
  const flag = known.get(text.toLowerCase().replace(/[ -]/g, '_'));
  if (flag === undefined) throw new CellTrouble(column as number, 'This is neither `true` nor `false`.');
  return flag;
}

function valuesIn(read: Reader, properties: ColumnMapping['properties']): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  let length = 0;
  for (const { key, column, type } of properties) {
    const text = textIn(read, column);
    if (text === undefined) continue;
    const value = valueOf(read, column, type, text);
    values[key] = value;
    length += key.length + (typeof value === 'string' ? value : String(value)).length;
    if (length > rowLimits.maxTogetherLength) throw new CellTrouble(column, tooLargeTogether);
  }
  return values;
}

function valueOf(read: Reader, column: number, type: CellType, text: string): string | number {
  switch (type) {
    case 'number':
      return numberIn(read, column, text);
    case 'boolean':
      return String(flagIn(read, column));
    case 'string':
      if (text.length <= rowLimits.maxValueLength) return text;
      throw new CellTrouble(column, `The value has more than ${rowLimits.maxValueLength} characters.`);
  }
}

const plainNumber = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i;

/** `1.234,5`, `1 234,5` or `1'234,5`. */
const numberWithComma = /^[+-]?(?:\d{1,30}|\d{1,3}(?:[.' \u00a0\u202f]\d{3}){1,9}),\d{1,30}$/;

function numberIn({ hasDecimalCommas }: Reader, column: number, text: string): number {
  const isCommaNumber = hasDecimalCommas && numberWithComma.test(text);
  const plain = isCommaNumber ? text.replace(/[^\d,+-]/g, '').replace(',', '.') : text;
  const value = plainNumber.test(plain) ? Number(plain) : NaN;
  if (!Number.isFinite(value)) throw new CellTrouble(column, 'This is not a number such as `-12.5`.');
  return value;
}

function shortened(text: string): string {
  const cut = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  return storableText(cut);
}

export const reportHeader = 'line,column,value,reason\r\n';

/** A line of the report of refused rows. */
export function reportLine({ line, column, value, reason }: Refusal): string {
  return `${line},${cell(column)},${cell(value)},${cell(reason)}\r\n`;
}

/** The last line of a report that does not hold all refused rows. */
export function reportEnd(missing: number): string {
  return missing > 0 ? `,,,${cell(`${missing} more rows were refused than this report holds.`)}\r\n` : '';
}

/**
 * A cell with quotes. Spreadsheets take a cell that begins with one of these characters for a formula and run it, and
 * files of contacts hold what strangers typed into forms: an apostrophe in front makes it text.
 */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
