import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { ApiQuery, DescribedBy, nextOfPage, Responses, ResponsesList } from '#platform/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ReadBroadcasts } from '../../application/read-broadcasts.query.js';
import { bounceTypes, resultKinds } from '../../domain/statistics.js';
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

/** What became of a broadcast (docs/wire-contract.md section 17.5). */
@Controller('broadcasts')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/broadcast-statistics.description.js'))
export class BroadcastStatisticsController {
  constructor(private readonly read: ReadBroadcasts) {}

  @Get(':id/recipients')
  @Requires('broadcasts:read')
  @ResponsesList(BroadcastRecipientResponse, nextOfPage)
  @ApiQuery({ name: 'type', required: true, enum: resultKinds })
  @ApiQuery({ name: 'email', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'bounce_type', required: false, enum: bounceTypes })
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
  @Requires('broadcasts:read')
  @ResponsesList(ClickedLinkResponse)
  async clickedLinks(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: Parameters,
  ): Promise<ListResponse<ClickedLinkResponse>> {
    const page = await this.read.clickedLinks(teamId, idFromPath('id', id), parsePageRequest(query));
    return listResponse(page, linkResponse);
  }

  /** Addition of Postrider. */
  @Get(':id/progress')
  @Requires('broadcasts:read')
  @Responses(BroadcastProgressResponse)
  async progress(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
  ): Promise<BroadcastProgressResponse> {
    const { broadcast, progress } = await this.read.progress(teamId, idFromPath('id', id));
    return progressResponse(broadcast, progress);
  }
}
