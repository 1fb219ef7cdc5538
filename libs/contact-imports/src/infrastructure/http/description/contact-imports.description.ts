import { MissingFieldError, NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { fileTooLarge } from '#platform/http';
import { importLimits } from '../../../domain/import-limits.js';
import { EmptyFileError, NotCsvError, TooManyImportsError, UnknownColumnError } from '../../../domain/import-errors.js';
import { decodeImport, decodeStatus } from '../import.request.js';

const importId = '0193a1f6-0b7e-7d25-9c48-a1c5f7306b2d';
const segmentId = '0193a1f6-0b7e-7d25-9c48-b2c5f7306b2e';
const topicId = '0193a1f6-0b7e-7d25-9c48-c3c5f7306b2f';
const columnMap = {
  email: 'E-Mail',
  first_name: 'First name',
  properties: { tariff: { column: 'Tariff', type: 'string' }, licences: { column: 'Licences', type: 'number' } },
};

const contactImport = {
  object: 'contact_import',
  id: importId,
  status: 'completed',
  created_at: '2026-11-30 20:41:12.3+00',
  completed_at: '2026-11-30 20:41:14.871+00',
  counts: { total: 1200, created: 1150, updated: 42, skipped: 0, failed: 8 },
  progress: 100,
  failure: null,
};

const id = idParameter('Id of the import.', importId);
const megabytes = importLimits.maxFileBytes / 1_000_000;

export const apiDescription: ApiDescription = {
  tag: 'Contact imports',
  tagDescription: 'Contacts from CSV files. A file is stored when it is accepted, and imported in the background.',
  schemas: {
    CreateContactImportRequest: {
      description: 'A form with a file of contacts. The other fields are texts.',
      properties: {
        file:
          `CSV, at most ${megabytes} MB. Its first line names the columns. The delimiter (comma, semicolon, tab or \`|\`) and the ` +
          'encoding (UTF-8, UTF-16 or Windows-1252) are found out.',
        column_map:
          'JSON: the names of the columns for `email`, `first_name`, `last_name` and `unsubscribed`, and by the key of each ' +
          'property `{"column": …, "type": …}` with the type `string` (default), `number` or `boolean`. A field that is not ' +
          'named is read from the column of its own name. A property that does not exist is created.',
        on_conflict:
          'What happens to rows whose address is known: `upsert` (default) takes over the values of the cells that are not ' +
          'empty, `skip` leaves the row out.',
        segments: 'JSON: `[{"id": …}]`, the segments without a filter to which the contacts are added.',
        topics: 'JSON: `[{"id": …, "subscription": "opt_in" | "opt_out"}]`, the choices of the contacts.',
      },
    },
    CreatedContactImportResponse: {
      description: 'The accepted import.',
      properties: { object: 'Always `contact_import`.', id: 'Id of the import.' },
    },
    ContactImportCountsResponse: {
      description: 'Numbers of rows. They grow while the import is in progress.',
      properties: {
        total: 'Rows that were read.',
        created: 'Rows that made a contact.',
        updated: 'Rows whose contact was known.',
        skipped: 'Rows that were left out because their contact was known.',
        failed: 'Rows that were refused.',
      },
    },
    ContactImportResponse: {
      description: 'An import of contacts.',
      properties: {
        object: 'Always `contact_import`.',
        id: 'Id of the import.',
        status:
          'A `failed` import met something that is not CSV. What was imported before stays, and `failure` says the line.',
        created_at: 'When the file was accepted.',
        completed_at: 'When it ended; null before.',
        counts: 'Numbers of rows.',
        progress: { description: 'How much of the file is done, in percent.', minimum: 0, maximum: 100 },
        failure: 'Why the import failed; null where it did not.',
      },
    },
  },
  operations: {
    'POST /contacts/imports': {
      operationId: 'createContactImport',
      summary: 'Import contacts',
      description:
        'Stores a CSV file of contacts and imports it in the background. The import survives every restart, and each row counts ' +
        `once. A team may have ${importLimits.maxUnfinished} imports that are not completed, of which one is in progress. An ` +
        'import never subscribes a contact again that unsubscribed or refused a topic. It makes no events.',
      request: {
        description: 'The file, and how it is to be read.',
        examples: {
          plain: {
            summary: 'A file with the usual columns',
            value: { file: 'email,first_name\r\nada@customer.example,Ada\r\n' },
          },
          mapped: {
            summary: 'Columns with other names',
            value: {
              file: 'E-Mail;First name;Tariff;Licences\r\nada@customer.example;Ada;pro;36\r\n',
              column_map: JSON.stringify(columnMap),
              on_conflict: 'skip',
            },
          },
          grouped: {
            summary: 'With a segment and a topic',
            value: {
              file: 'email\r\ngrace@customer.example\r\n',
              segments: JSON.stringify([{ id: segmentId }]),
              topics: JSON.stringify([{ id: topicId, subscription: 'opt_in' }]),
            },
          },
        },
      },
      responses: {
        201: { description: 'The import is accepted.', example: { object: 'contact_import', id: importId } },
      },
      errors: [
        new MissingFieldError('file'),
        new EmptyFileError(),
        new NotCsvError('a PDF document'),
        new UnknownColumnError('email', ['E-Mail', 'Name']),
        new ValidationError('The request body must be `multipart/form-data` with a `file`.'),
        thrownBy(() => decodeImport({ column_map: '{' })),
        thrownBy(() => decodeImport({ on_conflict: 'replace' })),
        thrownBy(() => decodeImport({ segments: '["x"]' })),
        fileTooLarge(importLimits.maxFileBytes),
        new TooManyImportsError(),
      ],
    },
    'GET /contacts/imports': {
      operationId: 'listContactImports',
      summary: 'List imports of contacts',
      description: 'The imports of your team, newest first, in pages. They are kept as long as emails are.',
      parameters: {
        status: { description: 'Only imports with this status.', example: 'completed' },
        ...pageParameters,
      },
      responses: {
        200: { description: 'A page of imports.', example: { object: 'list', has_more: false, data: [contactImport] } },
      },
      errors: [...pageErrors, thrownBy(() => decodeStatus('done'))],
    },
    'GET /contacts/imports/{id}': {
      operationId: 'getContactImport',
      summary: 'Get an import of contacts',
      description: 'One import, with its progress.',
      parameters: { id },
      responses: { 200: { description: 'The import.', example: contactImport } },
      errors: [invalidId('id'), new NotFoundError('Contact import')],
    },
    'GET /contacts/imports/{id}/refused-rows': {
      operationId: 'getRefusedRows',
      summary: 'Get the rows that were refused',
      description:
        'A CSV file with a line for each row that was refused so far: the line of your file, the column, the value and the ' +
        `reason. It holds the first ${importLimits.maxKeptRefusals} rows.`,
      parameters: { id },
      responses: {
        200: {
          description: 'The report.',
          example: 'line,column,value,reason\r\n7,"email","ada","This is not an email address."\r\n',
        },
      },
      errors: [invalidId('id'), new NotFoundError('Contact import')],
    },
  },
};
