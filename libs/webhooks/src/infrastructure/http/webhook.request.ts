import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { ValidationError } from '#kernel';
import { decodeBody } from '#platform/http';
import { ArrayMaxSize, IsArray, IsDefined, IsIn, IsOptional, IsString } from 'class-validator';
import { ReplayFilter } from '../../application/ports/message-log.port.js';
import { idFromCursor } from '../../domain/message-id.js';
import { webhookEventTypes } from '../../domain/event-types.js';
import { parseEventTypes } from '../../domain/webhook.js';
import type { WebhookStatus } from '../../domain/webhook.js';
import { messageStatuses, MessageStatus } from '../../domain/webhook-message.js';

const endpointMessage = { message: 'The `endpoint` field must be a string.' };
const eventsMessage = { message: 'The `events` field must be an array of event names.' };
const maxEvents = { message: 'The `events` field has too many items.' };
const types = [...webhookEventTypes];

/** Body of `POST /webhooks` (docs/wire-contract.md section 21). */
export class CreateWebhookRequest {
  @ApiProperty({ type: String, example: 'https://example.com/hooks' })
  @IsDefined()
  @IsString(endpointMessage)
  endpoint!: string;

  @ApiProperty({ type: [String], enum: types, minItems: 1 })
  @IsDefined()
  @IsArray(eventsMessage)
  @ArrayMaxSize(200, maxEvents)
  @IsString({ ...eventsMessage, each: true })
  events!: string[];
}

/** Body of `PATCH /webhooks/{id}`. */
export class UpdateWebhookRequest {
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsString(endpointMessage)
  endpoint?: string;

  @ApiPropertyOptional({ type: [String], enum: types, minItems: 1, description: 'Replaces the events' })
  @IsOptional()
  @IsArray(eventsMessage)
  @ArrayMaxSize(200, maxEvents)
  @IsString({ ...eventsMessage, each: true })
  events?: string[];

  @ApiPropertyOptional({ type: String, enum: ['enabled', 'disabled'] })
  @IsOptional()
  @IsIn(['enabled', 'disabled'], { message: 'The `status` field must be `enabled` or `disabled`.' })
  status?: WebhookStatus;
}

/** Body of `POST /webhooks/{id}/events/replay`, our own addition. Without any field: all that has not arrived. */
export class ReplayRequest {
  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Events from then on' })
  @IsOptional()
  @IsString({ message: 'The `from` field must be a date.' })
  from?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Events before then' })
  @IsOptional()
  @IsString({ message: 'The `to` field must be a date.' })
  to?: string;

  @ApiPropertyOptional({ type: [String], enum: types })
  @IsOptional()
  @IsArray({ message: 'The `types` field must be an array of event names.' })
  @ArrayMaxSize(200, { message: 'The `types` field has too many items.' })
  @IsString({ each: true, message: 'The `types` field must be an array of event names.' })
  types?: string[];

  @ApiPropertyOptional({ type: [String], enum: [...messageStatuses], default: ['pending', 'attempting', 'failed'] })
  @IsOptional()
  @IsArray({ message: 'The `statuses` field must be an array.' })
  @IsIn([...messageStatuses], {
    each: true,
    message: 'The `statuses` field may hold `pending`, `attempting`, `success` and `failed`.',
  })
  statuses?: MessageStatus[];

  @ApiPropertyOptional({ type: String, description: 'The `next` of the answer before: goes on where that one ended' })
  @IsOptional()
  @IsString({ message: 'The `after` field must be a string.' })
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
  const date = new Date(isoDate.test(text) ? text.replace(/([+-]\d\d)$/, '$1:00') : NaN);
  if (Number.isNaN(date.getTime())) throw new ValidationError(`The \`${field}\` field must be an ISO 8601 date.`);
  return date;
}
