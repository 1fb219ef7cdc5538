import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { found, idFromPath, jsonResponse, listResponse, ListResponse, releaseOnceSent } from '#platform/http';
import { Responses, ResponsesList, DescribedBy } from '#platform/openapi';
import { Controller, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadInbox } from '../../application/read-inbox.query.js';
import { ShownMessages } from './shown-messages.js';
import { messageResponse, messageSummary } from './message.response-builder.js';
import { MessageResponse, MessageSummaryResponse } from './message.response.js';

/**
 * The messages that the sandbox received from the principal's team. Mail that belongs to no team is shown on the inbox
 * page only.
 */
@Controller('sandbox/messages')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/sandbox.description.js'))
export class SandboxMessagesController {
  constructor(
    private readonly inbox: ReadInbox,
    private readonly messages: ShownMessages,
  ) {}

  @Get()
  @Requires('sandbox:read')
  @ResponsesList(MessageSummaryResponse)
  async list(@CurrentPrincipal() { teamId }: Principal, @Query() query: object): Promise<ListResponse<object>> {
    return listResponse(await this.inbox.list({ teamId }, parsePageRequest(query)), messageSummary);
  }

  @Get(':id')
  @Requires('sandbox:read')
  @Responses(MessageResponse)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const shown = found('Message', await this.messages.open({ teamId }, idFromPath('id', id), 'parts'));
    releaseOnceSent(reply, shown);
    return jsonResponse(messageResponse(shown, await this.inbox.verdict(shown.raw, teamId)));
  }
}
