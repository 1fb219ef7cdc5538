import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock, parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { ApiQuery, DescribedBy, nextOfPage, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ReadBroadcasts } from '../../application/read-broadcasts.query.js';
import { StartBroadcast } from '../../application/start-broadcast.use-case.js';
import { WriteBroadcasts } from '../../application/write-broadcasts.use-case.js';
import { broadcastStatuses, parseBroadcastFilter } from '../../domain/broadcast-filter.js';
import {
  CreateBroadcastRequest,
  decodeChanges,
  decodeNewBroadcast,
  decodeSending,
  SendBroadcastRequest,
  UpdateBroadcastRequest,
} from './broadcast.request.js';
import {
  BroadcastReferenceResponse,
  broadcastResponse,
  BroadcastResponse,
  broadcastSummary,
  BroadcastSummaryResponse,
  RemovedBroadcastResponse,
} from './broadcast.response.js';

/** One content for the members of a segment (docs/wire-contract.md section 17). */
@Controller('broadcasts')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/broadcasts.description.js'))
export class BroadcastsController {
  constructor(
    private readonly write: WriteBroadcasts,
    private readonly start: StartBroadcast,
    private readonly read: ReadBroadcasts,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Requires('broadcasts:write')
  @Takes(CreateBroadcastRequest)
  @Responses(BroadcastReferenceResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<BroadcastReferenceResponse> {
    const { fields, send, at } = decodeNewBroadcast(body, this.clock.now());
    return reference(
      send ? await this.start.create(principal, fields, at) : await this.write.create(principal, fields),
    );
  }

  @Get()
  @Requires('broadcasts:read')
  @ResponsesList(BroadcastSummaryResponse, nextOfPage)
  @ApiQuery({
    ...{ name: 'status', required: false, style: 'form', explode: false },
    schema: { type: 'array', items: { type: 'string', enum: [...broadcastStatuses] } },
  })
  @ApiQuery({ name: 'q', required: false, schema: { type: 'string' } })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<BroadcastSummaryResponse> & { readonly next?: string | null }> {
    const page = await this.read.list(teamId, parseWholeListRequest(query), parseBroadcastFilter(query));
    const list = listResponse(page, broadcastSummary);
    return page.next === undefined ? list : { ...list, next: page.next };
  }

  @Get(':id')
  @Requires('broadcasts:read')
  @Responses(BroadcastResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<BroadcastResponse> {
    const { broadcast, subjects } = await this.read.findWithSubjects(teamId, idFromPath('id', id));
    return broadcastResponse(broadcast, subjects);
  }

  @Patch(':id')
  @Requires('broadcasts:write')
  @Takes(UpdateBroadcastRequest)
  @Responses(BroadcastReferenceResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.write.change(principal, broadcastId, decodeChanges(body));
    return reference(broadcastId);
  }

  @Delete(':id')
  @Requires('broadcasts:write')
  @Responses(RemovedBroadcastResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedBroadcastResponse> {
    const broadcastId = idFromPath('id', id);
    await this.write.remove(principal, broadcastId);
    return { ...reference(broadcastId), deleted: true };
  }

  @Post(':id/send')
  @Requires('broadcasts:send')
  @HttpCode(200)
  @Takes(SendBroadcastRequest, false)
  @Responses(BroadcastReferenceResponse)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.start.execute(principal, broadcastId, decodeSending(body, this.clock.now()));
    return reference(broadcastId);
  }

  @Post(':id/duplicate')
  @Requires('broadcasts:write')
  @Responses(BroadcastReferenceResponse, 201)
  async duplicate(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<BroadcastReferenceResponse> {
    return reference(await this.write.duplicate(principal, idFromPath('id', id)));
  }
}

function reference(id: string): BroadcastReferenceResponse {
  return { object: 'broadcast', id };
}
