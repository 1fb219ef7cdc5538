import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { parseEndpoint } from '../../../domain/endpoint-url.js';
import { maxWebhooks, parseEvents, TooManyWebhooksError } from '../../../domain/webhook.js';
import { decodeChanges } from '../webhook.request.js';
import { webhookId, webhookSchemas } from './webhook-schemas.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const webhook = {
  id: webhookId,
  endpoint: 'https://acme.example/hooks/postrider',
  events: ['email.delivered', 'email.bounced', 'email.complained'],
  status: 'enabled',
  created_at: '2026-11-28 09:14:02.7+00',
  disabled_reason: null,
};

const id = idParameter('Id of the webhook.', webhookId);
const unknown = [invalidId('webhookId'), new NotFoundError('Webhook')];

const rules = { allowPrivate: false, allowsAddress: () => false };
const invalidFields = [
  ...['hooks', 'http://acme.example/hooks', 'https://ann:secret@acme.example/', 'https://127.0.0.1/'].map((endpoint) =>
    thrownBy(() => parseEndpoint(endpoint, rules)),
  ),
  thrownBy(() => parseEvents([])),
  thrownBy(() => parseEvents(['email.eaten'])),
];

export const apiDescription: ApiDescription = {
  tag: 'Webhooks',
  tagDescription:
    'Endpoints of yours that are told of events by signed HTTP requests (Standard Webhooks), and the log of what was sent ' +
    `to them. A team has at most ${maxWebhooks}.`,
  schemas: webhookSchemas,
  operations: {
    'POST /webhooks': {
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Adds an endpoint that is told of these events from now on. Each request to it is signed with the secret of the ' +
        'answer, tried up to eight times over about 28 hours, and succeeds with any 2xx.',
      request: {
        description: 'Where to send which events.',
        examples: {
          outcomes: {
            summary: 'Outcomes of emails',
            value: { endpoint: webhook.endpoint, events: webhook.events },
          },
        },
      },
      responses: {
        201: {
          description: 'The webhook and its secret.',
          example: { object: 'webhook', id: webhookId, signing_secret: secret },
        },
      },
      errors: [
        new MissingFieldError('endpoint'),
        new MissingFieldError('events'),
        ...invalidFields,
        new TooManyWebhooksError(),
      ],
    },
    'GET /webhooks': {
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'The webhooks of your team, newest first, in pages.',
      parameters: pageParameters,
      responses: {
        200: { description: 'A page of webhooks.', example: { object: 'list', has_more: false, data: [webhook] } },
      },
      errors: pageErrors,
    },
    'GET /webhooks/{webhookId}': {
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      description: 'One webhook with its secret.',
      parameters: { webhookId: id },
      responses: {
        200: { description: 'The webhook.', example: { object: 'webhook', ...webhook, signing_secret: secret } },
      },
      errors: unknown,
    },
    'PATCH /webhooks/{webhookId}': {
      operationId: 'updateWebhook',
      summary: 'Change a webhook',
      description:
        'Changes the endpoint, the events or the status of a webhook; what is absent stays as it is. Enabling one sends what ' +
        'it has missed meanwhile.',
      parameters: { webhookId: id },
      request: {
        description: 'What is to change.',
        examples: {
          events: { summary: 'Other events', value: { events: ['email.bounced', 'email.complained'] } },
          disable: { summary: 'No requests for now', value: { status: 'disabled' } },
        },
      },
      responses: { 200: { description: 'The webhook is changed.', example: { object: 'webhook', id: webhookId } } },
      errors: [...unknown, ...invalidFields, thrownBy(() => decodeChanges({ status: 'asleep' }))],
    },
    'DELETE /webhooks/{webhookId}': {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes a webhook. Nothing is sent to it any more.',
      parameters: { webhookId: id },
      responses: {
        200: { description: 'The webhook is deleted.', example: { object: 'webhook', id: webhookId, deleted: true } },
      },
      errors: unknown,
    },
    'POST /webhooks/{webhookId}/signing-secret/rotate': {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'Gives a webhook a new secret. For 24 hours requests are signed with the previous one as well, so that no request is ' +
        'refused while the new one is put in place.',
      parameters: { webhookId: id },
      responses: {
        200: {
          description: 'The new secret.',
          example: { object: 'webhook', id: webhookId, signing_secret: secret },
        },
      },
      errors: unknown,
    },
  },
};
