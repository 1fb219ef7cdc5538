import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesWholeList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { maxSegments, segmentThing } from '../../domain/segment.js';
import { Segments } from '../../application/segments.use-case.js';
import { ReadContacts } from '../../application/read-contacts.query.js';
import { segmentId } from './example-ids.js';
import { contactSummary, ContactSummaryResponse } from './contact.response.js';
import { textFrom } from './query-text.js';
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

type PageQuery = { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown };

const longName = (): unknown => decodeSegmentName({ name: 'x'.repeat(300) });

@Controller('segments')
@Describes(
  'Segments',
  'Groups of contacts. A contact may be in several. A team has at most ' +
    `${maxSegments.toLocaleString('en')} segments.`,
)
@PathId('id', 'Id of the segment.', segmentId)
@UseGuards(PrincipalGuard)
export class SegmentsController {
  constructor(
    private readonly segments: Segments,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Operation('createSegment', 'Create a segment', 'Creates a segment.')
  @Takes(CreateSegmentRequest, 'The name.')
  @Responses(CreatedSegmentResponse, 'The segment is created.', { status: 201 })
  @Refuses(() => [longName])
  @Requires('audience:write')
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<CreatedSegmentResponse> {
    const { name, filter } = decodeNewSegment(body);
    const { id } = await this.segments.create(principal, name, filter);
    return { object: 'segment', id, name };
  }

  @Get()
  @Operation('listSegments', 'List segments', 'The segments of your team, newest first.')
  @ResponsesWholeList(ListedSegmentResponse, 'The segments.')
  @Requires('audience:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ListedSegmentResponse>> {
    const page = await this.segments.list(teamId, parseWholeListRequest(query));
    const sizes = await this.segments.sizesOf(page.items);
    return listResponse(page, (segment) => listedSegment(segment, sizes.get(segment.id)));
  }

  @Get(':id')
  @Operation('getSegment', 'Get a segment', 'One segment.')
  @Responses(SegmentResponse, 'The segment.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  @Requires('audience:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<SegmentResponse> {
    return segmentResponse(await this.segments.find(teamId, idFromPath('id', id)));
  }

  @Patch(':id')
  @Operation('updateSegment', 'Rename a segment', 'Sets the name of a segment.')
  @Takes(SegmentNameRequest, 'The name.')
  @Responses(SegmentReferenceResponse, 'The segment is renamed.')
  @Refuses(() => [new NotFoundError(segmentThing), longName])
  @Requires('audience:write')
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
  @Operation(
    'deleteSegment',
    'Delete a segment',
    'Deletes a segment. Its contacts stay. A segment that does not exist gets the same answer.',
  )
  @Responses(RemovedSegmentResponse, 'There is no such segment.')
  @Requires('audience:write')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedSegmentResponse> {
    const segmentId = idFromPath('id', id);
    await this.segments.remove(principal, segmentId);
    return { object: 'segment', id: segmentId, deleted: true };
  }

  @Get(':id/contacts')
  @Operation('listSegmentContacts', 'List the contacts of a segment', 'The contacts of a segment, newest first.')
  @QueryParameter(
    'search',
    'Only contacts whose address, first name or last name begins with this text, in any case. Of two ' +
      'words, the first may be the first name, and the last name begins with the second.',
    { maxLength: 320 },
    'ada',
  )
  @ResponsesWholeList(ContactSummaryResponse, 'The contacts.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  @Requires('audience:read')
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
