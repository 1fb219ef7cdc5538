import { ApiKeyGuard, CurrentCaller } from '#identity';
import type { Caller } from '#identity';
import { parsePageRequest } from '#kernel';
import { found, idFromPath, listAnswer, ListAnswer } from '#platform/http';
import { Answers, AnswersList, DescribedBy } from '#platform/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ReadInbox } from '../../application/read-inbox.query.js';
import { parseMessage } from '../mime/parsed-message.js';
import { messageAnswer, messageSummary } from './message.answer.js';
import { MessageAnswer, MessageSummaryAnswer } from './message.answer-shape.js';

/** What the sandbox received of the caller's team. Mail that belongs to no team shows on the page only. */
@Controller('sandbox/messages')
@UseGuards(ApiKeyGuard)
@DescribedBy(() => import('./description/sandbox.description.js'))
export class SandboxMessagesController {
  constructor(private readonly inbox: ReadInbox) {}

  @Get()
  @AnswersList(MessageSummaryAnswer)
  async list(@CurrentCaller() { teamId }: Caller, @Query() query: object): Promise<ListAnswer<object>> {
    return listAnswer(await this.inbox.list({ teamId }, parsePageRequest(query)), messageSummary);
  }

  @Get(':id')
  @Answers(MessageAnswer)
  async get(@CurrentCaller() { teamId }: Caller, @Param('id') id: string): Promise<object> {
    const message = found('Message', await this.inbox.find({ teamId }, idFromPath('id', id)));
    const [parsed, verdict] = await Promise.all([parseMessage(message.raw), this.inbox.verdict(message)]);
    return messageAnswer(message, parsed, verdict);
  }
}
