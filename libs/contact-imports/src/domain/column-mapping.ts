import { AmbiguousColumnError, importLimits, TooManyColumnsError, UnknownColumnError } from './import-errors.js';

export const contactColumns = ['email', 'first_name', 'last_name', 'unsubscribed', 'subscribed'] as const;
export type ContactColumn = (typeof contactColumns)[number];

export type CellType = 'string' | 'number' | 'boolean';

/** Which columns the customer named for which fields. */
export interface ColumnMap {
  readonly fields: Readonly<Partial<Record<ContactColumn, string>>>;
  readonly properties: readonly {
    readonly key: string;
    readonly column: string;
    readonly type: CellType | undefined;
  }[];
}

export const noColumnMap: ColumnMap = { fields: {}, properties: [] };

/** Where the values of a row stand, by the number of the column from 0. */
export interface ColumnMapping {
  /** Names of all columns, for messages. */
  readonly columns: readonly string[];
  readonly fields: Readonly<Partial<Record<ContactColumn, number>>>;
  readonly properties: readonly { readonly key: string; readonly column: number; readonly type: CellType }[];
}

export type PropertyTypes = ReadonlyMap<string, 'string' | 'number'>;

/**
 * Finds the columns of a map in the first record of a file. A field that the map does not name is read from the column
 * of its own name, if there is one: exactly this name, else in other upper and lower case; but not `subscribed`, since
 * columns of this name say many things, such as a date. There must be a column for the address.
 */
export function mappingOf(header: readonly string[], map: ColumnMap, known: PropertyTypes): ColumnMapping {
  const columns = header.map((name) => name.trim());
  if (columns.length > importLimits.maxColumns) throw new TooManyColumnsError();
  const fields: Partial<Record<ContactColumn, number>> = {};
  for (const field of contactColumns) {
    const named = map.fields[field];
    const column =
      named === undefined ? (field === 'subscribed' ? undefined : ownColumn(columns, field)) : indexOf(columns, named);
    if (column !== undefined) fields[field] = column;
  }
  if (fields.email === undefined) throw new UnknownColumnError('email', columns);
  const properties = map.properties.map(({ key, column, type }) => ({
    key,
    column: indexOf(columns, column),
    type: type ?? known.get(key) ?? 'string',
  }));
  return { columns, fields, properties };
}

/** The names that a file is expected to have, in lower case, to find its delimiter. */
export function expectedColumns({ fields, properties }: ColumnMap): ReadonlySet<string> {
  const named = [...Object.values(fields), ...properties.map(({ column }) => column)];
  return new Set([...contactColumns, ...named.map((name) => name.trim().toLowerCase())]);
}

function ownColumn(columns: readonly string[], field: ContactColumn): number | undefined {
  if (columns.includes(field)) return indexOf(columns, field);
  const alike = columns.filter((name) => name.toLowerCase() === field);
  return alike.length === 1 ? columns.indexOf(alike[0] as string) : undefined;
}

function indexOf(columns: readonly string[], name: string): number {
  const trimmed = name.trim();
  const index = columns.indexOf(trimmed);
  if (index === -1) throw new UnknownColumnError(trimmed, columns);
  if (columns.indexOf(trimmed, index + 1) !== -1) throw new AmbiguousColumnError(trimmed);
  return index;
}
