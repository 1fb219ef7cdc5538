import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ManageSegments } from '../../application/manage-segments.use-case.js';
import { decodeSegmentName, SegmentNameRequest } from './segment.request.js';
import {
  AudienceResponse,
  CreatedAudienceResponse,
  RemovedAudienceResponse,
  segmentSummary,
  SegmentSummaryResponse,
} from './segment.response.js';

/** Segments under their old name (docs/wire-contract.md section 13). */
@Controller('audiences')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/audiences.description.js'))
export class AudiencesController {
  constructor(private readonly segments: ManageSegments) {}

  @Post()
  @Requires('audience:write')
  @Takes(SegmentNameRequest)
  @Responses(CreatedAudienceResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<CreatedAudienceResponse> {
    const name = decodeSegmentName(body);
    const { id } = await this.segments.create(principal, name);
    return { object: 'audience', id, name };
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(SegmentSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<SegmentSummaryResponse>> {
    return listResponse(await this.segments.list(teamId, parseWholeListRequest(query)), segmentSummary);
  }

  @Get(':id')
  @Requires('audience:read')
  @Responses(AudienceResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<AudienceResponse> {
    return { object: 'audience', ...segmentSummary(await this.segments.find(teamId, idFromPath('id', id))) };
  }

  @Delete(':id')
  @Requires('audience:write')
  @Responses(RemovedAudienceResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedAudienceResponse> {
    const segmentId = idFromPath('id', id);
    await this.segments.remove(principal, segmentId);
    return { object: 'audience', id: segmentId, deleted: true };
  }
}
