import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { PageRequest, parsePageRequest } from '#kernel';
import { idFromPath, listAnswer, ListAnswer, timestamp } from '#platform/http';
import { Answers, AnswersList, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ReadMessages } from '../../application/read-messages.query.js';
import { ReplayMessages } from '../../application/replay-messages.use-case.js';
import { idFromCursor, messageIdFromPath, publicAttemptId, publicMessageId } from '../../domain/message-id.js';
import { LoggedMessage, MessageAttempt } from '../../domain/webhook-message.js';
import {
  ReplayAnswer,
  ReplayedMessageAnswer,
  WebhookAttemptAnswer,
  WebhookMessageAnswer,
  WebhookMessageSummaryAnswer,
} from './webhook.answer.js';
import { decodeReplay, ReplayRequest } from './webhook.request.js';

/** What was sent to an endpoint (docs/wire-contract.md section 21). */
@Controller('webhooks/:webhookId/events')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/webhook-messages.description.js'))
export class WebhookMessagesController {
  constructor(
    private readonly messages: ReadMessages,
    private readonly replayMessages: ReplayMessages,
  ) {}

  @Get()
  @Requires('webhooks:read')
  @AnswersList(WebhookMessageSummaryAnswer)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Query() query: object,
  ): Promise<ListAnswer<WebhookMessageSummaryAnswer>> {
    const page = await this.messages.list(teamId, idFromPath('webhookId', webhookId), pageOf(query));
    return listAnswer(page, summary);
  }

  @Post('replay')
  @Requires('webhooks:write')
  @HttpCode(200)
  @Takes(ReplayRequest, false)
  @Answers(ReplayAnswer)
  async replayAll(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Body() body: unknown,
  ): Promise<ReplayAnswer> {
    const { filter, after } = decodeReplay(body);
    const { replayed, next } = await this.replayMessages.all(teamId, idFromPath('webhookId', webhookId), filter, after);
    return {
      object: 'webhook_replay',
      replayed,
      has_more: next !== undefined,
      next: next === undefined ? null : publicMessageId(next),
    };
  }

  @Get(':eventId')
  @Requires('webhooks:read')
  @Answers(WebhookMessageAnswer)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
  ): Promise<WebhookMessageAnswer> {
    const id = idFromPath('webhookId', webhookId);
    const message = await this.messages.find(teamId, id, messageIdFromPath(eventId));
    const payload = await this.messages.payloadOf(message);
    return {
      object: 'webhook_event',
      ...summary(message),
      next_attempt_at: message.nextAttemptAt === null ? null : timestamp(message.nextAttemptAt),
      payload: payload === undefined ? null : JSON.parse(payload),
    };
  }

  @Get(':eventId/attempts')
  @Requires('webhooks:read')
  @AnswersList(WebhookAttemptAnswer)
  async attempts(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
    @Query() query: object,
  ): Promise<ListAnswer<WebhookAttemptAnswer>> {
    const id = idFromPath('webhookId', webhookId);
    return listAnswer(await this.messages.attempts(teamId, id, messageIdFromPath(eventId), pageOf(query)), attempt);
  }

  @Post(':eventId/replay')
  @Requires('webhooks:write')
  @HttpCode(200)
  @Answers(ReplayedMessageAnswer)
  async replay(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
  ): Promise<ReplayedMessageAnswer> {
    const id = messageIdFromPath(eventId);
    await this.replayMessages.one(teamId, idFromPath('webhookId', webhookId), id);
    return { object: 'webhook_event', id: publicMessageId(id) };
  }
}

/** Cursors are public ids here. */
function pageOf(query: object): PageRequest {
  const { limit, after, before } = parsePageRequest(query);
  return {
    limit,
    after: after === undefined ? undefined : idFromCursor(after),
    before: before === undefined ? undefined : idFromCursor(before),
  };
}

function summary({ id, type, createdAt, status }: LoggedMessage): WebhookMessageSummaryAnswer {
  return { id: publicMessageId(id), type, created_at: timestamp(createdAt), status };
}

function attempt({ id, status, response, sentAt }: MessageAttempt): WebhookAttemptAnswer {
  return { id: publicAttemptId(id), http_status_code: status, response, sent_at: timestamp(sentAt) };
}
