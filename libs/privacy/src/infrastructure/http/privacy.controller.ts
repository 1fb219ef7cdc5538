import { Readable } from 'node:stream';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse, ReadBudget, streamedBytes, timestamp } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Query, StreamableFile, UseGuards } from '@nestjs/common';
import { ExportedList, ExportPersonalData } from '../../application/export-personal-data.query.js';
import { RequestErasure } from '../../application/request-erasure.use-case.js';
import { AddressRequest, decodeAddress } from './privacy.request.js';
import { ErasureResponse, erasureSummary, ErasureSummaryResponse, PrivacyExportResponse } from './privacy.response.js';

/** What is charged for an export: it holds a portion of records at a time. */
const exportBytes = streamedBytes(Infinity);

@Controller('privacy')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/privacy.description.js'))
export class PrivacyController {
  constructor(
    private readonly exportData: ExportPersonalData,
    private readonly requestErasure: RequestErasure,
    private readonly budget: ReadBudget,
    private readonly clock: Clock,
  ) {}

  @Post('exports')
  @Requires('privacy:export')
  @HttpCode(200)
  @Takes(AddressRequest)
  @Responses(PrivacyExportResponse)
  async export(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<StreamableFile> {
    const address = decodeAddress(body);
    const lists = this.exportData.execute(principal, address);
    const share = await this.budget.take(principal.teamId, exportBytes);
    const head = { object: 'privacy_export', email: address, created_at: timestamp(this.clock.now()) };
    const stream = Readable.from(jsonOf(head, lists), { objectMode: false, highWaterMark: 64 * 1024 });
    stream.once('close', () => share.release());
    return new StreamableFile(stream, {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="personal-data.json"',
    });
  }

  @Post('erasures')
  @Requires('privacy:erase')
  @Takes(AddressRequest)
  @Responses(ErasureResponse, 201)
  async erase(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<ErasureResponse> {
    const erasure = await this.requestErasure.execute(principal, decodeAddress(body));
    return { object: 'erasure', ...erasureSummary(erasure) };
  }

  @Get('erasures')
  @Requires('privacy:export')
  @ResponsesList(ErasureSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<ErasureSummaryResponse>> {
    return listResponse(await this.requestErasure.list(teamId, parsePageRequest(query)), erasureSummary);
  }

  @Get('erasures/:id')
  @Requires('privacy:export')
  @Responses(ErasureResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<ErasureResponse> {
    return { object: 'erasure', ...erasureSummary(await this.requestErasure.find(teamId, idFromPath('id', id))) };
  }
}

/** One JSON object, record by record, so that neither it nor a list is ever in memory. */
async function* jsonOf(head: object, lists: readonly ExportedList[]): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const { name, records } of lists) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for await (const record of records) {
      yield `${separator}${JSON.stringify(record)}`;
      separator = ',';
    }
    yield ']';
  }
  yield '}';
}
