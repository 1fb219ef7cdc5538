import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { ApiQuery, DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ManageSegments } from '../../application/manage-segments.use-case.js';
import { ReadContacts } from '../../application/read-contacts.query.js';
import { contactSummary, ContactSummaryResponse } from './contact.response.js';
import { textFrom } from './query-text.js';
import { CreateSegmentRequest, decodeNewSegment, decodeSegmentName, SegmentNameRequest } from './segment.request.js';
import {
  CreatedSegmentResponse,
  RemovedSegmentResponse,
  SegmentReferenceResponse,
  segmentResponse,
  SegmentResponse,
  segmentSummary,
  SegmentSummaryResponse,
} from './segment.response.js';

type PageQuery = { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown };

@Controller('segments')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/segments.description.js'))
export class SegmentsController {
  constructor(
    private readonly segments: ManageSegments,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Requires('audience:write')
  @Takes(CreateSegmentRequest)
  @Responses(CreatedSegmentResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<CreatedSegmentResponse> {
    const { name, filter } = decodeNewSegment(body);
    const { id } = await this.segments.create(principal, name, filter);
    return { object: 'segment', id, name };
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(SegmentSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: PageQuery,
  ): Promise<ListResponse<SegmentSummaryResponse>> {
    return listResponse(await this.segments.list(teamId, parseWholeListRequest(query)), segmentSummary);
  }

  @Get(':id')
  @Requires('audience:read')
  @Responses(SegmentResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<SegmentResponse> {
    return segmentResponse(await this.segments.find(teamId, idFromPath('id', id)));
  }

  @Patch(':id')
  @Requires('audience:write')
  @Takes(SegmentNameRequest)
  @Responses(SegmentReferenceResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SegmentReferenceResponse> {
    const segmentId = idFromPath('id', id);
    await this.segments.rename(principal, segmentId, decodeSegmentName(body));
    return { object: 'segment', id: segmentId };
  }

  @Delete(':id')
  @Requires('audience:write')
  @Responses(RemovedSegmentResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedSegmentResponse> {
    const segmentId = idFromPath('id', id);
    await this.segments.remove(principal, segmentId);
    return { object: 'segment', id: segmentId, deleted: true };
  }

  @Get(':id/contacts')
  @Requires('audience:read')
  @ResponsesList(ContactSummaryResponse)
  @ApiQuery({ name: 'search', required: false, schema: { type: 'string' } })
  async members(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: PageQuery & { readonly search?: unknown },
  ): Promise<ListResponse<ContactSummaryResponse>> {
    const search = textFrom('search', query.search);
    const page = parseWholeListRequest(query);
    return listResponse(await this.contacts.ofSegment(teamId, idFromPath('id', id), page, search), contactSummary);
  }
}
