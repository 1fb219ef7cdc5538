import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { PageRequest, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { Responses, ResponsesList, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ReadMessages } from '../../application/read-messages.query.js';
import { ReplayMessages } from '../../application/replay-messages.use-case.js';
import { TestWebhook } from '../../application/test-webhook.use-case.js';
import { idFromCursor, messageIdFromPath, publicAttemptId, publicMessageId } from '../../domain/message-id.js';
import { LoggedMessage, MessageAttempt } from '../../domain/webhook-message.js';
import {
  ReplayResponse,
  ReplayedMessageResponse,
  WebhookAttemptResponse,
  WebhookMessageResponse,
  WebhookMessageSummaryResponse,
} from './webhook.response.js';
import { decodeReplay, ReplayRequest } from './webhook.request.js';

/** The messages of an endpoint (docs/wire-contract.md section 21). */
@Controller('webhooks/:webhookId/events')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/webhook-messages.description.js'))
export class WebhookMessagesController {
  constructor(
    private readonly messages: ReadMessages,
    private readonly replayMessages: ReplayMessages,
    private readonly testWebhook: TestWebhook,
  ) {}

  @Get()
  @Requires('webhooks:read')
  @ResponsesList(WebhookMessageSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Query() query: object,
  ): Promise<ListResponse<WebhookMessageSummaryResponse>> {
    const page = await this.messages.list(teamId, idFromPath('webhookId', webhookId), pageOf(query));
    return listResponse(page, summary);
  }

  @Post('replay')
  @Requires('webhooks:write')
  @HttpCode(200)
  @Takes(ReplayRequest, false)
  @Responses(ReplayResponse)
  async replayAll(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Body() body: unknown,
  ): Promise<ReplayResponse> {
    const { filter, after } = decodeReplay(body);
    const { replayed, next } = await this.replayMessages.all(teamId, idFromPath('webhookId', webhookId), filter, after);
    return {
      object: 'webhook_replay',
      replayed,
      has_more: next !== undefined,
      next: next === undefined ? null : publicMessageId(next),
    };
  }

  @Post('test')
  @Requires('webhooks:write')
  @HttpCode(200)
  @Responses(ReplayedMessageResponse)
  async test(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
  ): Promise<ReplayedMessageResponse> {
    const id = await this.testWebhook.execute(teamId, idFromPath('webhookId', webhookId));
    return { object: 'webhook_event', id: publicMessageId(id) };
  }

  @Get(':eventId')
  @Requires('webhooks:read')
  @Responses(WebhookMessageResponse)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
  ): Promise<WebhookMessageResponse> {
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
  @ResponsesList(WebhookAttemptResponse)
  async attempts(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
    @Query() query: object,
  ): Promise<ListResponse<WebhookAttemptResponse>> {
    const id = idFromPath('webhookId', webhookId);
    return listResponse(await this.messages.attempts(teamId, id, messageIdFromPath(eventId), pageOf(query)), attempt);
  }

  @Post(':eventId/replay')
  @Requires('webhooks:write')
  @HttpCode(200)
  @Responses(ReplayedMessageResponse)
  async replay(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
  ): Promise<ReplayedMessageResponse> {
    const id = messageIdFromPath(eventId);
    await this.replayMessages.one(teamId, idFromPath('webhookId', webhookId), id);
    return { object: 'webhook_event', id: publicMessageId(id) };
  }
}

/** The cursors of these lists are public ids. */
function pageOf(query: object): PageRequest {
  const { limit, after, before } = parsePageRequest(query);
  return {
    limit,
    after: after === undefined ? undefined : idFromCursor(after),
    before: before === undefined ? undefined : idFromCursor(before),
  };
}

function summary({ id, type, createdAt, status }: LoggedMessage): WebhookMessageSummaryResponse {
  return { id: publicMessageId(id), type, created_at: timestamp(createdAt), status };
}

function attempt({ id, status, response, sentAt }: MessageAttempt): WebhookAttemptResponse {
  return { id: publicAttemptId(id), http_status_code: status, response, sent_at: timestamp(sentAt) };
}
