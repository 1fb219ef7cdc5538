import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parseWholeListRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesWholeList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { segmentThing } from '../../domain/segment.js';
import { Segments } from '../../application/segments.use-case.js';
import { segmentId } from './example-ids.js';
import { decodeSegmentName, SegmentNameRequest } from './segment.request.js';
import {
  AudienceResponse,
  CreatedAudienceResponse,
  RemovedAudienceResponse,
  audienceSummary,
  AudienceSummaryResponse,
} from './segment.response.js';

/** Segments under their old name (docs/wire-contract.md section 13). */
@Controller('audiences')
@Describes('Audiences', 'The old name of segments, for older clients. New programs use `/segments` and `/contacts`.')
@PathId('id', 'Id of the segment.', segmentId)
@PermissionsOf('audience')
export class AudiencesController {
  constructor(private readonly segments: Segments) {}

  @Post()
  @Operation('Create a segment, old path', 'As `POST /segments`.', { deprecated: true })
  @Takes(SegmentNameRequest, 'The name.')
  @Responses(CreatedAudienceResponse, 'The segment is created.', { status: 201 })
  async createAudience(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const name = decodeSegmentName(body);
    const { id } = await this.segments.create(principal, name);
    return toResponse(CreatedAudienceResponse, { id, name });
  }

  @Get()
  @Operation('List segments, old path', 'As `GET /segments`.', { deprecated: true })
  @ResponsesWholeList(AudienceSummaryResponse, 'The segments.')
  async listAudiences(
    @TeamId() teamId: string,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ) {
    return listResponse(await this.segments.list(teamId, parseWholeListRequest(query)), audienceSummary);
  }

  @Get(':id')
  @Operation('Get a segment, old path', 'As `GET /segments/{id}`.', { deprecated: true })
  @Responses(AudienceResponse, 'The segment.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  async getAudience(@TeamId() teamId: string, @Param('id') id: string) {
    return toResponse(AudienceResponse, await this.segments.find(teamId, id));
  }

  @Delete(':id')
  @Operation('Delete a segment, old path', 'As `DELETE /segments/{id}`.', { deprecated: true })
  @Responses(RemovedAudienceResponse, 'There is no such segment.')
  async deleteAudience(@CurrentPrincipal() principal: Principal, @Param('id') segmentId: string) {
    await this.segments.remove(principal, segmentId);
    return toResponse(RemovedAudienceResponse, { id: segmentId });
  }
}
