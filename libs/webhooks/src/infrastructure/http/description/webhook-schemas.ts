import type { ApiDescription } from '#platform/api-description';

export const webhookId = '0193a1f1-c6f4-7e19-a0d3-8b52e94c7f16';

const eventsOf = 'Types of events, such as `email.delivered`.';
const endpoint =
  'An https URL of at most 2,048 characters at a public address, without user name and password. http and private ' +
  'addresses only where the operator allows private destinations.';

const webhookFields = {
  id: 'Id of the webhook.',
  endpoint: 'The URL of the requests, exactly as you gave it.',
  events: eventsOf,
  status: '`disabled`: nothing is sent.',
  created_at: 'When it was created.',
  disabled_reason: 'Why the service disabled it; null if you disabled it, or if it is enabled.',
};

const messageFields = {
  id: 'Id of the message: the `webhook-id` header of its requests, the same for all attempts and replays.',
  type: 'Type of the event.',
  created_at: 'When the event happened.',
  status:
    '`pending`: not tried yet. `attempting`: tried, and will be tried again. `success` and `failed` are final until a replay.',
};

export const webhookSchemas: NonNullable<ApiDescription['schemas']> = {
  CreateWebhookRequest: {
    description: 'A new webhook.',
    properties: {
      endpoint: { description: endpoint, maxLength: 2_048 },
      events: { description: eventsOf, maxItems: 200 },
    },
  },
  UpdateWebhookRequest: {
    description: 'Changes of a webhook. Absent fields stay as they are.',
    properties: {
      endpoint: { description: endpoint, maxLength: 2_048 },
      events: { description: `${eventsOf} They replace the present ones.`, maxItems: 200 },
      status: '`disabled`: nothing is sent until it is `enabled` again.',
    },
  },
  ReplayRequest: {
    description: 'Which messages to send again. Without any field: all that were not delivered.',
    properties: {
      from: 'Only events at or after this time: an ISO 8601 date, with or without a time.',
      to: 'Only events before this time: an ISO 8601 date, with or without a time.',
      types: { description: 'Only messages of these types of events.', maxItems: 200 },
      statuses: 'Only messages in these states.',
      after: 'The `next` of the previous response. The request continues where that one ended.',
    },
  },
  WebhookIdResponse: {
    description: 'The webhook that was changed.',
    properties: { object: 'Always `webhook`.', id: 'Id of the webhook.' },
  },
  CreatedWebhookResponse: {
    description: 'A webhook and its secret.',
    properties: {
      object: 'Always `webhook`.',
      id: 'Id of the webhook.',
      signing_secret: 'Key of the signatures: `whsec_` and base64.',
    },
  },
  RemovedWebhookResponse: {
    description: 'The webhook that was deleted.',
    properties: { object: 'Always `webhook`.', id: 'Id of the webhook.', deleted: 'Always true.' },
  },
  WebhookSummaryResponse: { description: 'A webhook without its secret.', properties: webhookFields },
  WebhookResponse: {
    description: 'A webhook.',
    properties: {
      object: 'Always `webhook`.',
      ...webhookFields,
      signing_secret: 'Key of the signatures: `whsec_` and base64. Null for roles that may not change webhooks.',
    },
  },
  WebhookMessageSummaryResponse: { description: 'A message without its payload.', properties: messageFields },
  WebhookMessageResponse: {
    description: 'An event on its way to an endpoint.',
    properties: {
      object: 'Always `webhook_event`.',
      ...messageFields,
      next_attempt_at: 'Time of the next attempt; null if there will be none.',
      payload: 'The body of its requests; null if its event is no longer stored.',
    },
  },
  WebhookAttemptResponse: {
    description: 'One request to an endpoint.',
    properties: {
      id: 'Id of the attempt.',
      http_status_code: {
        description: 'HTTP status of the response; 0 if there was none, and `response` then says why.',
        minimum: 0,
        maximum: 599,
      },
      response: 'The first KB of the response.',
      sent_at: 'When the request was sent.',
    },
  },
  ReplayedMessageResponse: {
    description: 'A message that is sent again.',
    properties: { object: 'Always `webhook_event`.', id: 'Id of the message.' },
  },
  ReplayResponse: {
    description: 'The result of a replay.',
    properties: {
      object: 'Always `webhook_replay`.',
      replayed: { description: 'Number of messages that were queued again.', minimum: 0 },
      has_more: 'Whether there may be more: one request examines up to 50,000 messages.',
      next: 'The `after` of the next request; null if there are no more messages.',
    },
  },
};
