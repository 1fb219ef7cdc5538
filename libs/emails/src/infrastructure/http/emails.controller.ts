import { AllowSendingKeys, ApiKeyGuard, CurrentCaller } from '#identity';
import type { Caller } from '#identity';
import { Clock, parsePageRequest } from '#kernel';
import { found, idFromPath, listAnswer, ListAnswer } from '#platform/http';
import { Answers, AnswersList, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ReadEmails } from '../../application/read-emails.query.js';
import { SendEmail } from '../../application/send-email.use-case.js';
import { emailAnswer, emailSummary } from './email.answer.js';
import { EmailAnswer, EmailEventAnswer, EmailSummaryAnswer, SentEmailAnswer } from './answers.js';
import { decodeSendRequest, SendEmailRequest } from './send-email.request.js';

@Controller('emails')
@UseGuards(ApiKeyGuard)
export class EmailsController {
  constructor(
    private readonly sendEmail: SendEmail,
    private readonly readEmails: ReadEmails,
    private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingKeys()
  @Takes(SendEmailRequest)
  @Answers(SentEmailAnswer)
  send(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<{ id: string }> {
    return this.sendEmail.execute(caller, decodeSendRequest(body, this.clock.now()));
  }

  @Get()
  @AnswersList(EmailSummaryAnswer)
  async list(@CurrentCaller() caller: Caller, @Query() query: object): Promise<ListAnswer<object>> {
    return listAnswer(await this.readEmails.list(caller.teamId, parsePageRequest(query)), emailSummary);
  }

  @Get(':id')
  @Answers(EmailAnswer)
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return emailAnswer(found('Email', await this.readEmails.find(caller.teamId, idFromPath('id', id))));
  }

  /** Our own addition: everything that happened to the email, in order. */
  @Get(':id/events')
  @AnswersList(EmailEventAnswer)
  async events(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ListAnswer<object>> {
    const events = await this.readEmails.events(caller.teamId, idFromPath('id', id));
    return listAnswer({ items: found('Email', events), hasMore: false }, (event) => ({
      seq: event.seq,
      type: event.type,
      created_at: event.createdAt.toISOString(),
      recipient: event.recipient,
      data: event.data,
    }));
  }
}
