import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parseWholeListRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesWholeList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { maxSegments, segmentThing } from '../../domain/segment.js';
import { Segments } from '../../application/segments.use-case.js';
import { ReadContacts } from '../../application/read-contacts.query.js';
import { segmentId } from './example-ids.js';
import { contactSummary, ContactSummaryResponse } from './contact.response.js';
import { CreateSegmentRequest, decodeNewSegment, decodeSegmentName, SegmentNameRequest } from './segment.request.js';
import {
  CreatedSegmentResponse,
  RemovedSegmentResponse,
  SegmentReferenceResponse,
  segmentResponse,
  SegmentResponse,
  listedSegment,
  ListedSegmentResponse,
} from './segment.response.js';
import { SearchedContacts, textFrom } from './contact.request.js';

type PageQuery = { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown };

const longName = (): unknown => decodeSegmentName({ name: 'x'.repeat(300) });

@Controller('segments')
@Describes(
  'Segments',
  'Groups of contacts. A contact may be in several. A team has at most ' +
    `${maxSegments.toLocaleString('en')} segments.`,
)
@PathId('id', 'Id of the segment.', segmentId)
@PermissionsOf('audience')
export class SegmentsController {
  constructor(
    private readonly segments: Segments,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Operation('Create a segment', 'Creates a segment.')
  @Takes(CreateSegmentRequest, 'The name.')
  @Responses(CreatedSegmentResponse, 'The segment is created.', { status: 201 })
  @Refuses(() => [longName])
  async createSegment(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { name, filter } = decodeNewSegment(body);
    const { id } = await this.segments.create(principal, name, filter);
    return toResponse(CreatedSegmentResponse, { id, name });
  }

  @Get()
  @Operation('List segments', 'The segments of your team, newest first.')
  @ResponsesWholeList(ListedSegmentResponse, 'The segments.')
  async listSegments(@TeamId() teamId: string, @Query() query: PageQuery) {
    const page = await this.segments.list(teamId, parseWholeListRequest(query));
    const sizes = await this.segments.sizesOf(page.items);
    return listResponse(page, (segment) => listedSegment(segment, sizes.get(segment.id)));
  }

  @Get(':id')
  @Operation('Get a segment', 'One segment.')
  @Responses(SegmentResponse, 'The segment.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  async getSegment(@TeamId() teamId: string, @Param('id') id: string) {
    return segmentResponse(await this.segments.find(teamId, id));
  }

  @Patch(':id')
  @Operation('Rename a segment', 'Sets the name of a segment.')
  @Takes(SegmentNameRequest, 'The name.')
  @Responses(SegmentReferenceResponse, 'The segment is renamed.')
  @Refuses(() => [new NotFoundError(segmentThing), longName])
  async updateSegment(@CurrentPrincipal() principal: Principal, @Param('id') segmentId: string, @Body() body: unknown) {
    await this.segments.rename(principal, segmentId, decodeSegmentName(body));
    return toResponse(SegmentReferenceResponse, { id: segmentId });
  }

  @Delete(':id')
  @Operation(
    'Delete a segment',
    'Deletes a segment. Its contacts stay. A segment that does not exist gets the same answer.',
  )
  @Responses(RemovedSegmentResponse, 'There is no such segment.')
  async deleteSegment(@CurrentPrincipal() principal: Principal, @Param('id') segmentId: string) {
    await this.segments.remove(principal, segmentId);
    return toResponse(RemovedSegmentResponse, { id: segmentId });
  }

  @Get(':id/contacts')
  @Operation('List the contacts of a segment', 'The contacts of a segment, newest first.')
  @SearchedContacts
  @ResponsesWholeList(ContactSummaryResponse, 'The contacts.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  async listSegmentContacts(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Query() query: PageQuery & { readonly search?: unknown },
  ) {
    const search = textFrom('search', query.search);
    const page = parseWholeListRequest(query);
    return listResponse(await this.contacts.ofSegment(teamId, id, page, search), contactSummary);
  }
}
