import { Readable } from 'node:stream';
import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest, ValidationError } from '#kernel';
import { fileTooLarge, listResponse, ReadBudget, releaseOnceSent, TakesMultipart, toResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesFile,
  ResponsesList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { StartImports } from '../../application/import-contacts.use-case.js';
import { ReadImports } from '../../application/read-imports.query.js';
import { importStatuses } from '../../domain/contact-import.js';
import {
  EmptyFileError,
  importLimits,
  NotCsvError,
  TooManyImportsError,
  UnknownColumnError,
} from '../../domain/import-errors.js';
import { CreateContactImportRequest, decodeImport, decodeStatus } from './import.request.js';
import { ContactImportResponse, CreatedContactImportResponse, importId, importResponse } from './import.response.js';
import { readForm } from './uploaded-form.js';

interface ListQuery {
  readonly limit?: unknown;
  readonly after?: unknown;
  readonly before?: unknown;
  readonly status?: unknown;
}

/** What a report holds while it is sent: a thousand rows and their lines. */
const reportBytes = 2 * 1024 * 1024;

@Controller('contacts/imports')
@Describes(
  'Contact imports',
  'Contacts from CSV files. A file is stored when it is accepted, and imported in the background.',
)
@PathId('id', 'Id of the import.', importId, 'Contact import')
@PermissionsOf('audience')
export class ContactImportsController {
  constructor(
    private readonly starts: StartImports,
    private readonly imports: ReadImports,
    private readonly reads: ReadBudget,
  ) {}

  @Post()
  @Operation(
    'Import contacts',
    'Stores a CSV file of contacts and imports it in the background. The import survives every restart, ' +
      `and each row counts once. A team may have ${importLimits.maxUnfinished} imports that are not ` +
      'completed, of which one is in progress. An import never subscribes a contact again that ' +
      'unsubscribed or refused a topic. It makes no events.',
  )
  @Takes(CreateContactImportRequest, 'The file, and how it is to be read.', { mediaType: 'multipart/form-data' })
  @Responses(CreatedContactImportResponse, 'The import is accepted.', { status: 201 })
  @Refuses(() => [
    new EmptyFileError(),
    new NotCsvError('a PDF document'),
    new UnknownColumnError('email', ['E-Mail', 'Name']),
    new ValidationError('The request body must be `multipart/form-data` with a `file`.'),
    () => decodeImport({ column_map: '{' }),
    () => decodeImport({ on_conflict: 'replace' }),
    () => decodeImport({ segments: '["x"]' }),
    fileTooLarge(importLimits.maxFileBytes),
    new TooManyImportsError(),
  ])
  @TakesMultipart()
  async createContactImport(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { upload, fields } = await readForm(body, {
      store: (chunks, fileName) => this.starts.store(principal.teamId, chunks, fileName),
      discard: (stored) => this.starts.discard(stored),
    });
    try {
      const { id } = await this.starts.start(principal, upload, decodeImport(fields));
      return toResponse(CreatedContactImportResponse, { id });
    } catch (error) {
      await this.starts.discard(upload);
      throw error;
    }
  }

  @Get()
  @Operation(
    'List imports of contacts',
    'The imports of your team, newest first, in pages. They are kept as long as emails are.',
  )
  @QueryParameter('status', 'Only imports with this status.', { enum: [...importStatuses] }, 'completed')
  @ResponsesList(ContactImportResponse, 'A page of imports.')
  @Refuses(() => [() => decodeStatus('done')])
  async listContactImports(@TeamId() teamId: string, @Query() query: ListQuery) {
    const page = await this.imports.list(teamId, parsePageRequest(query), decodeStatus(query.status));
    return listResponse(page, importResponse);
  }

  @Get(':id')
  @Operation('Get an import of contacts', 'One import, with its progress.')
  @Responses(ContactImportResponse, 'The import.')
  async getContactImport(@TeamId() teamId: string, @Param('id') id: string) {
    return importResponse(await this.imports.find(teamId, id));
  }

  @Get(':id/refused-rows')
  @Operation(
    'Get the rows that were refused',
    'A CSV file with a line for each row that was refused so far: the line of your file, the column, the ' +
      `value and the reason. It holds the first ${importLimits.maxKeptRefusals} rows.`,
  )
  @ResponsesFile(
    'text/csv',
    'The report.',
    'line,column,value,reason\r\n7,"email","ada","This is not an email address."\r\n',
  )
  async getRefusedRows(@TeamId() teamId: string, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    const contactImport = await this.imports.find(teamId, id);
    releaseOnceSent(reply, await this.reads.take(teamId, reportBytes));
    await reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="refused-rows-${contactImport.id}.csv"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      .send(Readable.from(this.imports.report(contactImport), { objectMode: false }));
  }
}
