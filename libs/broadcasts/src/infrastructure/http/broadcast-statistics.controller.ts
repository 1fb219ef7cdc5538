import { AudienceNotMeasuredError, maxMeasured, segmentThing } from '#audience';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import {
  Describes,
  nextOfPage,
  Operation,
  PathId,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
} from '#http/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ReadAudienceHealth, ReadBroadcasts } from '../../application/read-broadcasts.query.js';
import { bounceTypes, resultKinds } from '../../domain/statistics.js';
import { AudienceHealthResponse, audienceHealthResponse } from './audience-health.response.js';
import { broadcastId } from './example-ids.js';
import { decodeRecipientsQuery } from './broadcast.request.js';
import {
  BroadcastProgressResponse,
  BroadcastRecipientResponse,
  ClickedLinkResponse,
  linkResponse,
  progressResponse,
  recipientResponse,
} from './broadcast.response.js';

type Parameters = Readonly<Record<string, unknown>>;

/** The results of a broadcast (docs/wire-contract.md section 17.5). */
@Controller('broadcasts')
@Describes('Broadcasts')
@PathId('id', 'Id of the broadcast.', broadcastId)
@UseGuards(PrincipalGuard)
export class BroadcastStatisticsController {
  constructor(
    private readonly read: ReadBroadcasts,
    private readonly health: ReadAudienceHealth,
  ) {}

  @Get(':id/recipients')
  @Operation(
    'listBroadcastRecipients',
    'List the recipients of a broadcast',
    'The recipients to whom one kind of thing happened, in pages. Every page takes the same time.',
  )
  @QueryParameter('type', 'What happened.', { enum: resultKinds }, 'clicked', { required: true })
  @QueryParameter(
    'email',
    'Only recipients whose address has this text. With a part of an address a page may have fewer ' +
      'recipients than asked for: go on from `next`.',
    {},
    'ada@customer.example',
  )
  @QueryParameter('bounce_type', 'Only bounces of this kind, with `type=bounced`.', { enum: bounceTypes }, 'permanent')
  @ResponsesList(BroadcastRecipientResponse, 'A page of recipients.', { fields: nextOfPage })
  @Refuses(() => [
    new NotFoundError('Broadcast'),
    new MissingFieldError('type'),
    () => decodeRecipientsQuery({ type: 'x' }),
    () => decodeRecipientsQuery({ type: 'sent', bounce_type: 'permanent' }),
    () => decodeRecipientsQuery({ type: 'sent', email: 'x'.repeat(321) }),
  ])
  @Requires('broadcasts:read')
  async recipients(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: Parameters,
  ): Promise<ListResponse<BroadcastRecipientResponse> & { readonly next?: string | null }> {
    const broadcastId = idFromPath('id', id);
    const request = decodeRecipientsQuery(query);
    const page = await this.read.recipients(teamId, broadcastId, request, parsePageRequest(query));
    const list = listResponse(page, (recipient) => recipientResponse(request.kind, recipient));
    return page.next === undefined ? list : { ...list, next: page.next };
  }

  @Get(':id/clicked-links')
  @Operation(
    'listBroadcastClickedLinks',
    'List the clicked links of a broadcast',
    'The links that were clicked, the most clicked first, in pages.',
  )
  @ResponsesList(ClickedLinkResponse, 'A page of links.')
  @Refuses(() => [new NotFoundError('Broadcast')])
  @Requires('broadcasts:read')
  async clickedLinks(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: Parameters,
  ): Promise<ListResponse<ClickedLinkResponse>> {
    const page = await this.read.clickedLinks(teamId, idFromPath('id', id), parsePageRequest(query));
    return listResponse(page, linkResponse);
  }

  @Get(':id/audience-health')
  @Operation(
    'getAudienceHealth',
    'Look at the audience of a broadcast',
    'What speaks for and against sending the broadcast to its segment, as that is now: who would get it, who ' +
      `bounced or complained before, who never opens anything, and who is new. Of more than ${maxMeasured} contacts it ` +
      'looks at a sample. An addition of Postrider.',
  )
  @Responses(AudienceHealthResponse, 'The findings.')
  @Refuses(() => [new NotFoundError('Broadcast'), new NotFoundError(segmentThing), new AudienceNotMeasuredError()])
  @Requires('broadcasts:read')
  async audienceHealth(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
  ): Promise<AudienceHealthResponse> {
    const broadcastId = idFromPath('id', id);
    return audienceHealthResponse(broadcastId, await this.health.read(teamId, broadcastId));
  }

  @Get(':id/progress')
  @Operation(
    'getBroadcastProgress',
    'Get the progress of a broadcast',
    'How many recipients it has, and what became of them until now. An addition of Postrider.',
  )
  @Responses(BroadcastProgressResponse, 'The progress.')
  @Refuses(() => [new NotFoundError('Broadcast')])
  @Requires('broadcasts:read')
  async progress(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
  ): Promise<BroadcastProgressResponse> {
    const { broadcast, progress } = await this.read.progress(teamId, idFromPath('id', id));
    return progressResponse(broadcast, progress);
  }
}
