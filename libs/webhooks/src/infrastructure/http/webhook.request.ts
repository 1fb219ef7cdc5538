import { proposedTypes, webhookEventTypes } from '#events';
import { existingMoment, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, List, OmitOf, OneOf, PartialOf, Shape, Text, Texts } from '#http/openapi';
import { ReplayFilter } from '../../application/ports/message-log.port.js';
import { idFromCursor } from '../../domain/message-id.js';
import { parseEventTypes } from '../../domain/webhook.js';
import type { WebhookStatus } from '../../domain/webhook.js';
import { messageStatuses, MessageStatus } from '../../domain/webhook-message.js';

const types = [...webhookEventTypes];
const [delivered, bounced, complained] = proposedTypes;
const areStatuses = (list: unknown): boolean =>
  Array.isArray(list) && list.every((status) => (messageStatuses as readonly unknown[]).includes(status));

class WebhookFields {
  @Text(
    'An https URL of at most 2,048 characters at a public address, without user name and password. http ' +
      'and private addresses only if the operator allows private destinations.',
    { examples: ['https://example.com/hooks'], boundedByDomain: { maxLength: 2_048 } },
  )
  endpoint!: string;
  @Texts('Types of events, such as `email.delivered`.', {
    enum: types,
    boundedByDomain: { minItems: 1 },
    maxItems: 200,
    message: 'The `events` field must be an array of event names.',
    boundsMessage: 'The `events` field has too many items.',
  })
  events!: string[];
  @OneOf(['enabled', 'disabled'], '`disabled`: nothing is sent until it is `enabled` again.', { optional: true })
  status?: WebhookStatus;
}

/** Body of `POST /webhooks` (docs/wire-contract.md section 21). */
@Shape('A new webhook.')
@Example('outcomes', 'Outcomes of emails', {
  endpoint: 'https://acme.example/hooks/postrider',
  events: [delivered, bounced, complained],
})
export class CreateWebhookRequest extends OmitOf(WebhookFields, 'status') {}

@Shape('Changes of a webhook. Absent fields stay as they are.', {
  endpoint: { examples: undefined },
  events: 'Types of events, such as `email.delivered`. They replace the present ones.',
})
@Example('events', 'Other events', { events: [bounced, complained] })
@Example('disable', 'No requests for now', { status: 'disabled' })
export class UpdateWebhookRequest extends PartialOf(WebhookFields) {}

/**
 * Body of `POST /webhooks/{id}/events/replay`, an addition of Postrider. Without any field: all messages that were not
 * delivered.
 */
@Shape('Which messages to send again. Without any field: all that were not delivered.')
@Example('missed', 'Messages missed in one hour', {
  from: '2026-11-30T20:00:00Z',
  to: '2026-11-30T21:00:00Z',
  types: [bounced],
  statuses: ['pending', 'attempting', 'failed'],
})
@Example('all', 'All messages that were not delivered', {})
export class ReplayRequest {
  @Text('Only events at or after this time: an ISO 8601 date, with or without a time.', {
    optional: true,
    format: 'date-time',
    message: 'The `from` field must be a date.',
  })
  from?: string;
  @Text('Only events before this time: an ISO 8601 date, with or without a time.', {
    optional: true,
    format: 'date-time',
    message: 'The `to` field must be a date.',
  })
  to?: string;
  @Texts('Only messages of these types of events.', {
    optional: true,
    enum: types,
    maxItems: 200,
    message: 'The `types` field must be an array of event names.',
    boundsMessage: 'The `types` field has too many items.',
  })
  types?: string[];
  @List('Only messages in these states.', {
    optional: true,
    items: { type: 'string', enum: messageStatuses },
    default: ['pending', 'attempting', 'failed'],
    allows: areStatuses,
    boundsMessage: 'The `statuses` field may hold `pending`, `attempting`, `success` and `failed`.',
  })
  statuses?: MessageStatus[];
  @Text('The `next` of the previous response. The request continues where that one ended.', { optional: true })
  after?: string;
}

export function decodeNewWebhook(body: unknown): CreateWebhookRequest {
  return decodeBody(CreateWebhookRequest, body);
}

export function decodeChanges(body: unknown): UpdateWebhookRequest {
  return decodeBody(UpdateWebhookRequest, body ?? {});
}

export function decodeReplay(body: unknown): { filter: ReplayFilter; after: string | undefined } {
  const request = decodeBody(ReplayRequest, body ?? {});
  const { statuses = ['pending', 'attempting', 'failed'] } = request;
  return {
    filter: {
      from: dateOf('from', request.from),
      to: dateOf('to', request.to),
      types: request.types === undefined ? undefined : parseEventTypes('types', request.types),
      statuses,
    },
    after: request.after === undefined ? undefined : idFromCursor(request.after),
  };
}

const isoDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;

function dateOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const date = isoDate.test(text) ? existingMoment(text.replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00')) : undefined;
  if (date === undefined) throw new ValidationError(`The \`${field}\` field must be an ISO 8601 date.`);
  return date;
}
