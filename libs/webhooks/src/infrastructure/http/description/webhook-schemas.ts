import type { ApiDescription } from '#platform/api-description';

export const webhookId = '0193a1f1-c6f4-7e19-a0d3-8b52e94c7f16';

const eventsOf = 'Types of events, such as `email.delivered`.';
const endpoint =
  'An https URL of at most 2,048 characters at a public address, without user name and password. http and private ' +
  'addresses only where the operator allows private destinations.';

const webhookFields = {
  id: 'Id of the webhook.',
  endpoint: 'Where requests are sent: the URL as it was given.',
  events: eventsOf,
  status: '`disabled`: nothing is sent.',
  created_at: 'When it was created.',
  disabled_reason: 'Why the service has disabled it; null where you did, or nobody.',
};

const messageFields = {
  id: 'Id of the message: the `webhook-id` header of its requests, the same for all attempts and replays.',
  type: 'Type of the event.',
  created_at: 'When the event happened.',
  status:
    '`pending`: not tried yet. `attempting`: tried, and will be again. `success` and `failed` are final until a replay.',
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
    description: 'Changes of a webhook. What is absent stays as it is.',
    properties: {
      endpoint: { description: endpoint, maxLength: 2_048 },
      events: { description: `${eventsOf} They replace those that it had.`, maxItems: 200 },
      status: '`disabled`: nothing is sent until it is `enabled` again.',
    },
  },
  ReplayRequest: {
    description: 'Which messages to send again. Without any field: all that have not arrived.',
    properties: {
      from: 'Only messages of events from then on: an ISO 8601 date, with or without a time.',
      to: 'Only messages of events before then: an ISO 8601 date, with or without a time.',
      types: { description: 'Only messages of these types of events.', maxItems: 200 },
      statuses: 'Only messages in these states.',
      after: 'The `next` of the answer before: goes on where that one ended.',
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
      signing_secret: 'Key of the signatures: `whsec_` and base64.',
    },
  },
  WebhookMessageSummaryResponse: { description: 'A message without its payload.', properties: messageFields },
  WebhookMessageResponse: {
    description: 'An event on its way to an endpoint.',
    properties: {
      object: 'Always `webhook_event`.',
      ...messageFields,
      next_attempt_at: 'When it is tried next; null where no attempt is to come.',
      payload: 'The body of its requests; null where its event is no longer stored.',
    },
  },
  WebhookAttemptResponse: {
    description: 'One request to an endpoint.',
    properties: {
      id: 'Id of the attempt.',
      http_status_code: {
        description: 'HTTP status of the answer; 0 where there was none, and `response` says why.',
        minimum: 0,
        maximum: 599,
      },
      response: 'The first KB of the answer.',
      sent_at: 'When the request was sent.',
    },
  },
  ReplayedMessageResponse: {
    description: 'A message that is sent again.',
    properties: { object: 'Always `webhook_event`.', id: 'Id of the message.' },
  },
  ReplayResponse: {
    description: 'What is sent again.',
    properties: {
      object: 'Always `webhook_replay`.',
      replayed: { description: 'Number of messages that are on their way again.', minimum: 0 },
      has_more: 'Whether there may be more: one request looks at up to 50,000 messages.',
      next: 'What to send as `after` to go on; null where there is nothing more.',
    },
  },
};
