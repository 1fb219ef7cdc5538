import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { found, idFromPath, jsonAnswer, listAnswer, ListAnswer, releaseOnceSent } from '#platform/http';
import { Answers, AnswersList, DescribedBy } from '#platform/openapi';
import { Controller, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadInbox } from '../../application/read-inbox.query.js';
import { ShownMessages } from './shown-messages.js';
import { messageAnswer, messageSummary } from './message.answer.js';
import { MessageAnswer, MessageSummaryAnswer } from './message.answer-shape.js';

/** What the sandbox received of the principal's team. Mail that belongs to no team shows on the page only. */
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
  @AnswersList(MessageSummaryAnswer)
  async list(@CurrentPrincipal() { teamId }: Principal, @Query() query: object): Promise<ListAnswer<object>> {
    return listAnswer(await this.inbox.list({ teamId }, parsePageRequest(query)), messageSummary);
  }

  @Get(':id')
  @Requires('sandbox:read')
  @Answers(MessageAnswer)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const shown = found('Message', await this.messages.open({ teamId }, idFromPath('id', id), 'parts'));
    releaseOnceSent(reply, shown);
    return jsonAnswer(messageAnswer(shown, await this.inbox.verdict(shown.raw, teamId)));
  }
}
