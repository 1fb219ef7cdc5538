import { DomainNotVerifiedError } from '#domains';
import { CurrentPrincipal, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { Clock, MissingFieldError, parseWholeListRequest } from '#kernel';
import { listResponse, ListResponse } from '#http/server';
import {
  Describes,
  nextOfPage,
  Operation,
  PathId,
  QueryList,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesWholeList,
  Takes,
} from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Broadcasts } from '../../application/broadcasts.use-case.js';
import {
  BroadcastStateError,
  BroadcastTooLargeError,
  MissingFallbackError,
  NoUnsubscribeLinkError,
  SegmentGoneError,
  TopicGoneError,
} from '../../domain/broadcast-errors.js';
import { maxContentBytes } from '../../domain/broadcast-fields.js';
import { ReadBroadcasts } from '../../application/read-broadcasts.query.js';
import { StartBroadcasts } from '../../application/send-broadcasts.use-case.js';
import { broadcastStatuses, parseBroadcastFilter } from '../../domain/broadcast-filter.js';
import { broadcastId, copyId, segmentId } from './example-ids.js';
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

const fieldErrors = (): readonly DescribedRefusal[] => [
  new SegmentGoneError(segmentId),
  new TopicGoneError(segmentId),
  new BroadcastTooLargeError(maxContentBytes),
];

const startErrors = (): readonly DescribedRefusal[] => [
  new DomainNotVerifiedError('acme.example'),
  new NoUnsubscribeLinkError('html'),
  new MissingFallbackError(['COMPANY']),
];

/** One content for the members of a segment (docs/wire-contract.md section 17). */
@Controller('broadcasts')
@Describes(
  'Broadcasts',
  'One content for all contacts of a segment. A broadcast is written as a draft, checked, and sent at ' +
    'once or at a time: each contact gets it once. Contacts that unsubscribed, opted out of its topic or ' +
    'are suppressed get nothing.',
)
@PathId('id', 'Id of the broadcast.', broadcastId, 'Broadcast')
@PermissionsOf('broadcasts')
export class BroadcastsController {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly starts: StartBroadcasts,
    private readonly read: ReadBroadcasts,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Operation(
    'Create a broadcast',
    'Creates a draft, or with `send` a broadcast that is sent. Where it may not be sent, it is not ' +
      'created either.',
  )
  @Takes(CreateBroadcastRequest, 'The broadcast.')
  @Responses(BroadcastReferenceResponse, 'The broadcast is created.', { status: 201 })
  @Refuses(() => [
    ...['from', 'segment_id', 'subject'].map((field) => new MissingFieldError(field)),
    () =>
      decodeNewBroadcast(
        {
          from: 'Acme <news@acme.example>',
          subject: 'News for {{{FIRST_NAME|you}}}',
          html: '<p>Hello {{{FIRST_NAME|there}}}</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
          scheduled_at: 'in 1 hour',
        },
        new Date(0),
      ),
    ...fieldErrors(),
    ...startErrors(),
  ])
  async createBroadcast(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { fields, send, at } = decodeNewBroadcast(body, this.clock.now());
    return reference(
      send ? await this.starts.create(principal, fields, at) : await this.broadcasts.create(principal, fields),
    );
  }

  @Get()
  @Operation(
    'List broadcasts',
    'The broadcasts of your team without their contents, newest first. All of them without page ' +
      'parameters. With a filter (an addition of Postrider), go on with `next` until it is null.',
  )
  @QueryList(
    'status',
    'Broadcasts in one of these states. Several are separated by commas, or the parameter is repeated.',
    { type: 'string', enum: broadcastStatuses },
    ['draft', 'scheduled'],
  )
  @QueryParameter('q', 'A part of the name or of the subject, in upper or lower case.', { maxLength: 200 }, 'news')
  @ResponsesWholeList(BroadcastSummaryResponse, 'The broadcasts.', { fields: nextOfPage })
  @Refuses(() => [() => parseBroadcastFilter({ status: 'gone' }), () => parseBroadcastFilter({ q: [] })])
  async listBroadcasts(
    @TeamId() teamId: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<BroadcastSummaryResponse> & { readonly next?: string | null }> {
    const page = await this.read.list(teamId, parseWholeListRequest(query), parseBroadcastFilter(query));
    const list = listResponse(page, broadcastSummary);
    return page.next === undefined ? list : { ...list, next: page.next };
  }

  @Get(':id')
  @Operation(
    'Get a broadcast',
    'A broadcast with its content. Where it tries several subjects (`subject_test`), with what became of ' +
      'each of them.',
  )
  @Responses(BroadcastResponse, 'The broadcast.')
  async getBroadcast(@TeamId() teamId: string, @Param('id') id: string) {
    const { broadcast, subjects } = await this.read.findWithSubjects(teamId, id);
    return broadcastResponse(broadcast, subjects);
  }

  @Patch(':id')
  @Operation(
    'Change a broadcast',
    'Changes a draft or a scheduled broadcast, which is checked again. Once it is being sent, only the ' +
      'name can be changed.',
  )
  @Takes(UpdateBroadcastRequest, 'The fields to change.')
  @Responses(BroadcastReferenceResponse, 'The broadcast has been changed.')
  @Refuses(() => [
    new BroadcastStateError('Only draft and scheduled broadcasts can be changed, and afterwards the name.'),
    ...fieldErrors(),
    ...startErrors(),
  ])
  async updateBroadcast(
    @CurrentPrincipal() principal: Principal,
    @Param('id') broadcastId: string,
    @Body() body: unknown,
  ) {
    await this.broadcasts.change(principal, broadcastId, decodeChanges(body));
    return reference(broadcastId);
  }

  @Delete(':id')
  @Operation('Delete a broadcast', 'Deletes a draft, or a scheduled broadcast, which is then not sent.')
  @Responses(RemovedBroadcastResponse, 'The broadcast is deleted.')
  @Refuses(() => [new BroadcastStateError('Only draft and scheduled broadcasts can be deleted.')])
  async deleteBroadcast(
    @CurrentPrincipal() principal: Principal,
    @Param('id') broadcastId: string,
  ): Promise<RemovedBroadcastResponse> {
    await this.broadcasts.remove(principal, broadcastId);
    return { ...reference(broadcastId), deleted: true };
  }

  @Post(':id/send')
  @Operation(
    'Send a broadcast',
    'Sends a draft at once or at a time. A scheduled broadcast gets another time, or is sent at once. The ' +
      'audience is fixed when sending begins.',
  )
  @Takes(SendBroadcastRequest, 'When.', { required: false })
  @Responses(BroadcastReferenceResponse, 'The broadcast is queued or scheduled.')
  @Refuses(() => [
    new BroadcastStateError('Only draft and scheduled broadcasts can be sent.'),
    new SegmentGoneError(segmentId),
    ...startErrors(),
  ])
  @Requires('broadcasts:send')
  async sendBroadcast(
    @CurrentPrincipal() principal: Principal,
    @Param('id') broadcastId: string,
    @Body() body: unknown,
  ) {
    await this.starts.start(principal, broadcastId, decodeSending(body, this.clock.now()));
    return reference(broadcastId);
  }

  @Post(':id/duplicate')
  @Operation(
    'Duplicate a broadcast',
    'Creates a draft with the same content, audience and options. Its name ends in ` (copy)`.',
  )
  @Responses(BroadcastReferenceResponse, 'The copy.', { status: 201, example: { id: copyId } })
  async duplicateBroadcast(@CurrentPrincipal() principal: Principal, @Param('id') id: string) {
    return reference(await this.broadcasts.duplicate(principal, id));
  }
}

function reference(id: string): BroadcastReferenceResponse {
  return { object: 'broadcast', id };
}
