import { PermissionsOf, TeamId } from '#identity';
import { PageRequest, parsePageRequest } from '#kernel';
import { listResponse, timestamp, timestampOrNull, toResponse } from '#http/server';
import { Describes, Operation, PathId, PathParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { DisabledWebhookError, SendTestEvent, TooManyTestsError } from '../../application/send-test-event.use-case.js';
import { WebhookMessages } from '../../application/webhook-messages.use-case.js';
import { idFromCursor, messageIdFromPath, publicAttemptId, publicMessageId } from '../../domain/message-id.js';
import { LoggedMessage, MessageAttempt } from '../../domain/webhook-message.js';
import {
  messageId,
  ReplayedMessageResponse,
  ReplayResponse,
  TestedWebhookResponse,
  WebhookAttemptResponse,
  webhookId,
  WebhookMessageResponse,
  WebhookMessageSummaryResponse,
} from './webhook.response.js';
import { decodeReplay, ReplayRequest } from './webhook.request.js';

/** The messages of an endpoint (docs/wire-contract.md section 21). */
@Controller('webhooks/:webhookId/events')
@Describes('Webhooks')
@PathId('webhookId', 'Id of the webhook.', webhookId, 'Webhook')
@PathParameter(
  'eventId',
  'Id of the message, `msg_` and 32 hexadecimal digits.',
  { pattern: '^msg_[0-9a-f]{32}$' },
  messageId,
  'Webhook event',
)
@PermissionsOf('webhooks')
export class WebhookMessagesController {
  constructor(
    private readonly messages: WebhookMessages,
    private readonly tests: SendTestEvent,
  ) {}

  @Get()
  @Operation(
    'List the messages of a webhook',
    'The messages that were sent or will be sent to an endpoint: one for each event, newest first, in pages.',
  )
  @ResponsesList(WebhookMessageSummaryResponse, 'A page of messages.', { cursor: messageId })
  @Refuses(() => [() => idFromCursor('x')])
  async listWebhookEvents(@TeamId() teamId: string, @Param('webhookId') webhookId: string, @Query() query: object) {
    const page = await this.messages.list(teamId, webhookId, pageOf(query));
    return listResponse(page, summary);
  }

  @Post('replay')
  @Operation(
    'Send messages of a webhook again',
    'Sends messages again, oldest first, under the same ids and with the same bytes. One request examines ' +
      'up to 50,000 messages; if there may be more, send `next` as `after` in the next request. An addition ' +
      'of Postrider.',
  )
  @Takes(ReplayRequest, 'Which messages. Without a body: all that were not delivered.', { required: false })
  @Responses(ReplayResponse, 'The messages are queued.')
  @Refuses(() => [
    () => idFromCursor('x'),
    () => decodeReplay({ from: 'yesterday' }),
    () => decodeReplay({ types: ['email.eaten'] }),
    () => decodeReplay({ statuses: ['lost'] }),
  ])
  async replayWebhookEvents(@TeamId() teamId: string, @Param('webhookId') webhookId: string, @Body() body: unknown) {
    const { filter, after } = decodeReplay(body);
    const { replayed, next } = await this.messages.replayAll(teamId, webhookId, filter, after);
    return toResponse(ReplayResponse, {
      replayed,
      hasMore: next !== undefined,
      next: next === undefined ? null : publicMessageId(next),
    });
  }

  @Post('test')
  @Operation(
    'Send a test event to a webhook',
    'Sends a message of the type `webhook.test` to this endpoint only, whatever it subscribes to, and waits ' +
      'for the answer. It is sent at once, beside the messages that wait, and is signed, logged and tried again like them.',
  )
  @Responses(TestedWebhookResponse, 'The message was sent.')
  @Refuses(() => [new DisabledWebhookError(), new TooManyTestsError()])
  async testWebhook(@TeamId() teamId: string, @Param('webhookId') webhookId: string): Promise<TestedWebhookResponse> {
    const { id, result } = await this.tests.send(teamId, webhookId);
    const { status: http_status_code, durationMs, response } = result;
    const duration_ms = Math.round(durationMs);
    return { object: 'webhook_event', id: publicMessageId(id), http_status_code, duration_ms, response };
  }

  @Get(':eventId')
  @Operation('Get a message of a webhook', 'One message with its payload.')
  @Responses(WebhookMessageResponse, 'The message.')
  async getWebhookEvent(
    @TeamId() teamId: string,
    @Param('webhookId') id: string,
    @Param('eventId') eventId: string,
  ): Promise<WebhookMessageResponse> {
    const message = await this.messages.find(teamId, id, messageIdFromPath(eventId));
    const payload = await this.messages.payloadOf(teamId, message);
    return {
      object: 'webhook_event',
      ...summary(message),
      next_attempt_at: timestampOrNull(message.nextAttemptAt),
      payload: payload === undefined ? null : JSON.parse(payload),
    };
  }

  @Get(':eventId/attempts')
  @Operation(
    'List the attempts of a message',
    'The requests that were made for a message and what came back, newest first, in pages.',
  )
  @ResponsesList(WebhookAttemptResponse, 'A page of attempts.', { cursor: 'atmpt_0193a1f45310744a8fd2b91c06e7d35a' })
  @Refuses(() => [() => idFromCursor('x')])
  async listWebhookEventAttempts(
    @TeamId() teamId: string,
    @Param('webhookId') id: string,
    @Param('eventId') eventId: string,
    @Query() query: object,
  ) {
    return listResponse(await this.messages.attempts(teamId, id, messageIdFromPath(eventId), pageOf(query)), attempt);
  }

  @Post(':eventId/replay')
  @Operation(
    'Send a message of a webhook again',
    'Sends one message again, under the same id and with the same bytes, whatever its status.',
  )
  @Responses(ReplayedMessageResponse, 'The message is queued.')
  async replayWebhookEvent(
    @TeamId() teamId: string,
    @Param('webhookId') webhookId: string,
    @Param('eventId') eventId: string,
  ) {
    const id = messageIdFromPath(eventId);
    await this.messages.replay(teamId, webhookId, id);
    return toResponse(ReplayedMessageResponse, { id: publicMessageId(id) });
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

const summary = (message: LoggedMessage): WebhookMessageSummaryResponse =>
  toResponse(WebhookMessageSummaryResponse, message, { id: publicMessageId(message.id) });

function attempt({ id, status, response, sentAt }: MessageAttempt): WebhookAttemptResponse {
  return { id: publicAttemptId(id), http_status_code: status, response, sent_at: timestamp(sentAt) };
}
