import { isUuid, objectField, ValidationError } from '#kernel';
import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { CellType, ColumnMap, contactColumns, ContactColumn } from '../../domain/column-mapping.js';
import { importStatuses } from '../../domain/contact-import.js';
import { importLimits, shown } from '../../domain/import-errors.js';
import type { ImportStatus, OnConflict, ImportedTopic } from '../../domain/contact-import.js';

/** Body of `POST /contacts/imports` (docs/wire-contract.md section 12.5), as `multipart/form-data`. */
@Shape('A form with a file of contacts. The other fields are texts.')
@Example('plain', 'A file with the usual columns', { file: 'email,first_name\r\nada@customer.example,Ada\r\n' })
@Example('mapped', 'Columns with other names', {
  file: 'E-Mail;First name;Tariff;Licences\r\nada@customer.example;Ada;pro;36\r\n',
  column_map:
    '{"email":"E-Mail","first_name":"First name","properties":{"tariff":{"column":"Tariff","type":"string"},"licences":{"column":"Licences","type":"number"}}}',
  on_conflict: 'skip',
})
@Example('grouped', 'With a segment and a topic', {
  file: 'email\r\ngrace@customer.example\r\n',
  segments: '[{"id":"0193a1f6-0b7e-7d25-9c48-b2c5f7306b2e"}]',
  topics: '[{"id":"0193a1f6-0b7e-7d25-9c48-c3c5f7306b2f","subscription":"opt_in"}]',
})
export class CreateContactImportRequest {
  @Field(
    `CSV, at most ${importLimits.maxFileBytes / 1_000_000} MB. Its first line names the columns. The ` +
      'delimiter (comma, semicolon, tab or `|`) and the encoding (UTF-8, UTF-16, Shift_JIS, Windows-1250, ' +
      '1251 or 1252) are found out.',
    { format: 'binary' },
  )
  file!: string;
  @OptionalField(
    'JSON: the names of the columns for `email`, `first_name`, `last_name`, `unsubscribed` and `subscribed` (the ' +
      'opposite, such as "Accepts marketing"; it counts where `unsubscribed` says nothing), and by the key of each property `{"column": …, "type": …}` with the type `string` (default), `number` or ' +
      '`boolean`. A field that is not named is read from the column of its own name, apart from `subscribed`. A property that does ' +
      'not exist is created.',
  )
  column_map?: string;
  @OptionalField(
    'What happens to rows whose address is known: `upsert` (default) takes over the values of the cells ' +
      'that are not empty, `skip` leaves the row out.',
    { enum: ['upsert', 'skip'] },
  )
  on_conflict?: OnConflict;
  @OptionalField('JSON: `[{"id": …}]`, the segments without a filter to which the contacts are added.')
  segments?: string;
  @OptionalField('JSON: `[{"id": …, "subscription": "opt_in" | "opt_out"}]`, the choices of the contacts.')
  topics?: string;
}

/** The fields of the form beside the file. */
export type FormFields = Readonly<Partial<Record<'column_map' | 'on_conflict' | 'segments' | 'topics', string>>>;

export interface DecodedImport {
  readonly columnMap: ColumnMap;
  readonly onConflict: OnConflict;
  readonly segmentIds: readonly string[];
  readonly topics: readonly ImportedTopic[];
}

const cellTypes: readonly CellType[] = ['string', 'number', 'boolean'];
const maxColumnLength = 1_000;

export function decodeImport(fields: FormFields): DecodedImport {
  return {
    columnMap: decodeColumnMap(jsonIn(fields, 'column_map')),
    onConflict: decodeOnConflict(fields.on_conflict),
    segmentIds: decodeSegments(jsonIn(fields, 'segments')),
    topics: decodeTopics(jsonIn(fields, 'topics')),
  };
}

export function decodeStatus(value: unknown): ImportStatus | undefined {
  if (value === undefined || value === '') return undefined;
  const status = importStatuses.find((known) => known === value);
  if (status !== undefined) return status;
  throw new ValidationError(
    `The \`status\` must be one of ${importStatuses.map((known) => `\`${known}\``).join(', ')}.`,
  );
}

/** Undefined if the field is absent, empty or null. */
function jsonIn(fields: FormFields, name: keyof FormFields): unknown {
  const text = fields[name];
  if (text === undefined || text.trim() === '') return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return value === null ? undefined : value;
  } catch {
    throw new ValidationError(`The \`${name}\` field must be JSON.`);
  }
}

function decodeOnConflict(value: string | undefined): OnConflict {
  if (value === undefined || value === '') return 'upsert';
  if (value === 'upsert' || value === 'skip') return value;
  throw new ValidationError('The `on_conflict` field must be `upsert` or `skip`.');
}

function decodeColumnMap(value: unknown): ColumnMap {
  if (value === undefined) return { fields: {}, properties: [] };
  const map = objectField('column_map', value);
  const fields: Partial<Record<ContactColumn, string>> = {};
  for (const field of contactColumns) {
    const column = map[field];
    if (column !== undefined && column !== null && column !== '') fields[field] = columnIn(field, column);
  }
  const { properties } = map;
  if (properties === undefined || properties === null) return { fields, properties: [] };
  const entries = Object.entries(objectField('column_map.properties', properties));
  if (entries.length > importLimits.maxColumns) {
    throw new ValidationError(`The \`column_map\` may have at most ${importLimits.maxColumns} properties.`);
  }
  return { fields, properties: entries.map(([key, entry]) => propertyIn(key, entry)) };
}

/** `{column, type?}`, or the name of the column alone. */
function propertyIn(key: string, value: unknown): ColumnMap['properties'][number] {
  const name = `properties.${shown(key)}`;
  if (!/^\w{1,50}$/.test(key) || key === '__proto__') {
    throw new ValidationError(
      `The key \`${shown(key)}\` in \`column_map.properties\` is not the key of a contact property.`,
    );
  }
  if (typeof value === 'string') return { key, column: columnIn(name, value), type: undefined };
  const { column, type } = objectField(`column_map.${name}`, value);
  if (type === undefined || type === null || type === '')
    return { key, column: columnIn(name, column), type: undefined };
  const known = cellTypes.find((cellType) => cellType === type);
  if (known !== undefined) return { key, column: columnIn(name, column), type: known };
  throw new ValidationError(`The type of \`column_map.${name}\` must be \`string\`, \`number\` or \`boolean\`.`);
}

function columnIn(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxColumnLength) return value;
  throw new ValidationError(`The \`column_map.${field}\` must name a column of the file.`);
}

/** `[{id}]`, or the ids alone. */
function decodeSegments(value: unknown): string[] {
  const ids = listIn('segments', value, importLimits.maxSegments).map((entry) =>
    idIn('segments', typeof entry === 'string' ? entry : objectField('segments', entry).id),
  );
  return [...new Set(ids)];
}

function decodeTopics(value: unknown): ImportedTopic[] {
  const choices = listIn('topics', value, importLimits.maxTopics).map((entry): ImportedTopic => {
    const { id, subscription } = objectField('topics', entry);
    if (subscription !== 'opt_in' && subscription !== 'opt_out') {
      throw new ValidationError('The `subscription` of a topic must be `opt_in` or `opt_out`.');
    }
    return { id: idIn('topics', id), subscription };
  });
  // A topic that is named twice has its last choice.
  return [...new Map(choices.map((choice) => [choice.id, choice])).values()];
}

function idIn(field: string, value: unknown): string {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw new ValidationError(`The \`${field}\` field must have ids that are valid UUIDs.`);
}

function listIn(field: string, value: unknown, max: number): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new ValidationError(`The \`${field}\` field must be a list.`);
  if (value.length > max) throw new ValidationError(`The \`${field}\` field may have at most ${max} items.`);
  return value;
}
