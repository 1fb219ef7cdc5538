import { AudienceNotMeasuredError, maxMeasured, segmentThing } from '#audience';
import { PermissionsOf, TeamId } from '#identity';
import { MissingFieldError, NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, ListResponse } from '#http/server';
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
import { Controller, Get, Param, Query } from '@nestjs/common';
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
@PathId('id', 'Id of the broadcast.', broadcastId, 'Broadcast')
@PermissionsOf('broadcasts')
export class BroadcastStatisticsController {
  constructor(
    private readonly read: ReadBroadcasts,
    private readonly health: ReadAudienceHealth,
  ) {}

  @Get(':id/recipients')
  @Operation(
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
    new MissingFieldError('type'),
    () => decodeRecipientsQuery({ type: 'x' }),
    () => decodeRecipientsQuery({ type: 'sent', bounce_type: 'permanent' }),
    () => decodeRecipientsQuery({ type: 'sent', email: 'x'.repeat(321) }),
  ])
  async listBroadcastRecipients(
    @TeamId() teamId: string,
    @Param('id') broadcastId: string,
    @Query() query: Parameters,
  ): Promise<ListResponse<BroadcastRecipientResponse> & { readonly next?: string | null }> {
    const request = decodeRecipientsQuery(query);
    const page = await this.read.recipients(teamId, broadcastId, request, parsePageRequest(query));
    const list = listResponse(page, (recipient) => recipientResponse(request.kind, recipient));
    return page.next === undefined ? list : { ...list, next: page.next };
  }

  @Get(':id/clicked-links')
  @Operation('List the clicked links of a broadcast', 'The links that were clicked, the most clicked first, in pages.')
  @ResponsesList(ClickedLinkResponse, 'A page of links.')
  async listBroadcastClickedLinks(@TeamId() teamId: string, @Param('id') id: string, @Query() query: Parameters) {
    const page = await this.read.clickedLinks(teamId, id, parsePageRequest(query));
    return listResponse(page, linkResponse);
  }

  @Get(':id/audience-health')
  @Operation(
    'Look at the audience of a broadcast',
    'What speaks for and against sending the broadcast to its segment, as that is now: who would get it, who ' +
      `bounced or complained before, who never opens anything, and who is new. Of more than ${maxMeasured} contacts it ` +
      'looks at a sample. An addition of Postrider.',
  )
  @Responses(AudienceHealthResponse, 'The findings.')
  @Refuses(() => [new NotFoundError(segmentThing), new AudienceNotMeasuredError()])
  async getAudienceHealth(@TeamId() teamId: string, @Param('id') broadcastId: string) {
    return audienceHealthResponse(broadcastId, await this.health.read(teamId, broadcastId));
  }

  @Get(':id/progress')
  @Operation(
    'Get the progress of a broadcast',
    'How many recipients it has, and what became of them until now. An addition of Postrider.',
  )
  @Responses(BroadcastProgressResponse, 'The progress.')
  async getBroadcastProgress(@TeamId() teamId: string, @Param('id') id: string) {
    const { broadcast, progress } = await this.read.progress(teamId, id);
    return progressResponse(broadcast, progress);
  }
}
