import { Readable } from 'node:stream';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse, ReadBudget, releaseOnceSent, TakesMultipart } from '#platform/http';
import { ApiQuery, DescribedBy, Responses, ResponsesFile, ResponsesList, TakesForm } from '#platform/openapi';
import { Body, Controller, Get, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadImports } from '../../application/read-imports.query.js';
import { StartImport } from '../../application/start-import.use-case.js';
import { StoreUpload } from '../../application/store-upload.use-case.js';
import { importStatuses } from '../../domain/contact-import.js';
import { CreateContactImportRequest, decodeImport, decodeStatus } from './import.request.js';
import { ContactImportResponse, CreatedContactImportResponse, importResponse } from './import.response.js';
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
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/contact-imports.description.js'))
export class ContactImportsController {
  constructor(
    private readonly uploads: StoreUpload,
    private readonly startImport: StartImport,
    private readonly imports: ReadImports,
    private readonly reads: ReadBudget,
  ) {}

  @Post()
  @Requires('audience:write')
  @TakesMultipart()
  @TakesForm(CreateContactImportRequest)
  @Responses(CreatedContactImportResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<CreatedContactImportResponse> {
    const { upload, fields } = await readForm(body, {
      store: (chunks) => this.uploads.execute(principal.teamId, chunks),
      discard: (stored) => this.uploads.discard(stored),
    });
    try {
      const { id } = await this.startImport.execute(principal, upload, decodeImport(fields));
      return { object: 'contact_import', id };
    } catch (error) {
      await this.uploads.discard(upload);
      throw error;
    }
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(ContactImportResponse)
  @ApiQuery({ name: 'status', required: false, enum: [...importStatuses] })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: ListQuery,
  ): Promise<ListResponse<ContactImportResponse>> {
    const page = await this.imports.list(teamId, parsePageRequest(query), decodeStatus(query.status));
    return listResponse(page, importResponse);
  }

  @Get(':id')
  @Requires('audience:read')
  @Responses(ContactImportResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<ContactImportResponse> {
    return importResponse(await this.imports.find(teamId, idFromPath('id', id)));
  }

  @Get(':id/refused-rows')
  @Requires('audience:read')
  @ResponsesFile('text/csv')
  async refusedRows(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const contactImport = await this.imports.find(teamId, idFromPath('id', id));
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
