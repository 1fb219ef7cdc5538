import { NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { DisabledWebhookError } from '../../../application/test-webhook.use-case.js';
import { idFromCursor } from '../../../domain/message-id.js';
import { decodeReplay } from '../webhook.request.js';
import { webhookId } from './webhook-schemas.js';

const messageId = 'msg_0193a1f452f17b0d9e6a4c83d7a5f210';

const message = {
  id: messageId,
  type: 'email.delivered',
  created_at: '2026-11-30 20:40:00.91+00',
  status: 'success',
};

const webhook = idParameter('Id of the webhook.', webhookId);
const event = {
  description: 'Id of the message, `msg_` and 32 hexadecimal digits.',
  schema: { pattern: '^msg_[0-9a-f]{32}$' },
  example: messageId,
};

const unknownWebhook = [invalidId('webhookId'), new NotFoundError('Webhook')];
const unknown = [...unknownWebhook, new NotFoundError('Webhook event')];
const invalidCursor = thrownBy(() => idFromCursor('x'));

/** The cursors of these lists are public ids. */
const pagesOf = (idOfItem: string): typeof pageParameters => ({
  ...pageParameters,
  ...Object.fromEntries(
    Object.entries(pageParameters)
      .filter(([name]) => name !== 'limit')
      .map(([name, parameter]) => [name, { ...parameter, example: idOfItem }]),
  ),
});

export const apiDescription: ApiDescription = {
  tag: 'Webhooks',
  operations: {
    'GET /webhooks/{webhookId}/events': {
      operationId: 'listWebhookEvents',
      summary: 'List the messages of a webhook',
      description:
        'The messages that were sent or will be sent to an endpoint: one for each event, newest first, in pages.',
      parameters: { webhookId: webhook, ...pagesOf(messageId) },
      responses: {
        200: { description: 'A page of messages.', example: { object: 'list', has_more: false, data: [message] } },
      },
      errors: [...unknownWebhook, ...pageErrors, invalidCursor],
    },
    'POST /webhooks/{webhookId}/events/replay': {
      operationId: 'replayWebhookEvents',
      summary: 'Send messages of a webhook again',
      description:
        'Sends messages again, oldest first, under the same ids and with the same bytes. One request examines up to 50,000 ' +
        'messages; if there may be more, send `next` as `after` in the next request. An addition of Postrider.',
      parameters: { webhookId: webhook },
      request: {
        description: 'Which messages. Without a body: all that were not delivered.',
        examples: {
          missed: {
            summary: 'Messages missed in one hour',
            value: {
              from: '2026-11-30T20:00:00Z',
              to: '2026-11-30T21:00:00Z',
              types: ['email.bounced'],
              statuses: ['pending', 'attempting', 'failed'],
            },
          },
          all: { summary: 'All messages that were not delivered', value: {} },
        },
      },
      responses: {
        200: {
          description: 'The messages are queued.',
          example: { object: 'webhook_replay', replayed: 17, has_more: false, next: null },
        },
      },
      errors: [
        ...unknownWebhook,
        invalidCursor,
        thrownBy(() => decodeReplay({ from: 'yesterday' })),
        thrownBy(() => decodeReplay({ types: ['email.eaten'] })),
        thrownBy(() => decodeReplay({ statuses: ['lost'] })),
      ],
    },
    'GET /webhooks/{webhookId}/events/{eventId}': {
      operationId: 'getWebhookEvent',
      summary: 'Get a message of a webhook',
      description: 'One message with its payload.',
      parameters: { webhookId: webhook, eventId: event },
      responses: {
        200: {
          description: 'The message.',
          example: {
            object: 'webhook_event',
            ...message,
            next_attempt_at: null,
            payload: {
              type: 'email.delivered',
              created_at: '2026-11-30T20:40:00.912Z',
              sequence: 2,
              data: {
                email_id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
                created_at: '2026-11-30T20:39:59.540Z',
                message_id: '<0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31@acme.example>',
                from: 'Acme <hello@acme.example>',
                to: ['ada@customer.example'],
                subject: 'Your order is on its way',
                tags: { category: 'shipping' },
              },
            },
          },
        },
      },
      errors: unknown,
    },
    'GET /webhooks/{webhookId}/events/{eventId}/attempts': {
      operationId: 'listWebhookEventAttempts',
      summary: 'List the attempts of a message',
      description: 'The requests that were made for a message and what came back, newest first, in pages.',
      parameters: { webhookId: webhook, eventId: event, ...pagesOf('atmpt_0193a1f45310744a8fd2b91c06e7d35a') },
      responses: {
        200: {
          description: 'A page of attempts.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: 'atmpt_0193a1f45310744a8fd2b91c06e7d35a',
                http_status_code: 200,
                response: 'ok',
                sent_at: '2026-11-30 20:40:01.08+00',
              },
            ],
          },
        },
      },
      errors: [...unknown, ...pageErrors, invalidCursor],
    },
    'POST /webhooks/{webhookId}/events/test': {
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook',
      description:
        'Sends a message of the type `webhook.test` to this endpoint only, whatever it subscribes to. It is signed, logged and ' +
        'tried again like every other message.',
      parameters: { webhookId: webhook },
      responses: {
        200: { description: 'The message is queued.', example: { object: 'webhook_event', id: messageId } },
      },
      errors: [invalidId('webhookId'), new NotFoundError('Webhook'), new DisabledWebhookError()],
    },
    'POST /webhooks/{webhookId}/events/{eventId}/replay': {
      operationId: 'replayWebhookEvent',
      summary: 'Send a message of a webhook again',
      description: 'Sends one message again, under the same id and with the same bytes, whatever its status.',
      parameters: { webhookId: webhook, eventId: event },
      responses: {
        200: { description: 'The message is queued.', example: { object: 'webhook_event', id: messageId } },
      },
      errors: unknown,
    },
  },
};
