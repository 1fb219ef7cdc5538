import { ContactKey } from '#audience';
import { parseScheduledAt } from '#emails';
import { isUuid, LargeText, MissingFieldError, ValidationError } from '#kernel';
import type { Text } from '#kernel';
import { decodeBody } from '#platform/http';
import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { IsBoolean, IsDefined, IsObject, IsOptional, IsString, ValidateBy } from 'class-validator';
import { BroadcastTooLargeError } from '../../domain/broadcast-errors.js';
import { maxContentBytes, RequestedBroadcast } from '../../domain/broadcast-fields.js';
import { BounceType, bounceTypes, RecipientsRequest, ResultKind, resultKinds } from '../../domain/statistics.js';

const AllowedBy = (validate: (value: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy({ name: 'allowedBy', validator: { validate, defaultMessage: () => message } });

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof LargeText;

const isStringOrStrings = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const oneOrMore = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
const aText = (name: string): PropertyDecorator => IsString({ message: `The \`${name}\` field must be a string.` });

/** Body of `PATCH /broadcasts/{id}` (docs/wire-contract.md section 17.2). The domain asks for what a new one needs. */
export class UpdateBroadcastRequest {
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @aText('name')
  name?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @aText('segment_id')
  segment_id?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', deprecated: true })
  @IsOptional()
  @aText('audience_id')
  audience_id?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  @IsOptional()
  @aText('topic_id')
  topic_id?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @aText('from')
  from?: string;

  @ApiPropertyOptional(oneOrMore)
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `reply_to` field must be a string or an array of strings.')
  reply_to?: string | string[];

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @aText('subject')
  subject?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @aText('preview_text')
  preview_text?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html?: Text;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @AllowedBy(isText, 'The `text` field must be a string.')
  text?: Text;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject({ message: 'The `options` field must be an object.' })
  options?: Record<string, unknown>;
}

/** Body of `POST /broadcasts`. */
export class CreateBroadcastRequest extends UpdateBroadcastRequest {
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @IsBoolean({ message: 'The `send` field must be a boolean.' })
  send?: boolean;

  @ApiPropertyOptional({ type: String, example: 'in 1 hour' })
  @IsOptional()
  @aText('scheduled_at')
  scheduled_at?: string;
}

/** Body of `POST /broadcasts/{id}/send`. */
export class SendBroadcastRequest {
  @ApiPropertyOptional({ type: String, example: 'in 1 hour' })
  @IsOptional()
  @aText('scheduled_at')
  scheduled_at?: string;
}

/** Body of `POST /broadcasts/{id}/test`. */
export class TestBroadcastRequest {
  @ApiProperty(oneOrMore)
  @IsDefined()
  @AllowedBy(isStringOrStrings, 'The `to` field must be a string or an array of strings.')
  to!: string | string[];
}

/** Body of `POST /broadcasts/{id}/preview`. */
export class PreviewBroadcastRequest {
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @aText('contact_id')
  contact_id?: string;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @aText('email')
  email?: string;
}

export interface CreationRequest {
  readonly fields: RequestedBroadcast;
  readonly send: boolean;
  readonly at: Date | undefined;
}

export function decodeNewBroadcast(body: unknown, now: Date): CreationRequest {
  const request = decodeBody(CreateBroadcastRequest, body);
  const { send = false, scheduled_at } = request;
  if (scheduled_at !== undefined && !send) {
    throw new ValidationError('The `scheduled_at` field can only be used with `send: true`.');
  }
  return { fields: requested(request, body), send, at: momentOf(scheduled_at, now) };
}

export function decodeChanges(body: unknown): RequestedBroadcast {
  return requested(decodeBody(UpdateBroadcastRequest, body ?? {}), body);
}

export function decodeSending(body: unknown, now: Date): Date | undefined {
  return momentOf(decodeBody(SendBroadcastRequest, body ?? {}).scheduled_at, now);
}

export function decodeTest(body: unknown): readonly string[] {
  const { to } = decodeBody(TestBroadcastRequest, body ?? {});
  return typeof to === 'string' ? [to] : to;
}

export function decodePreview(body: unknown): ContactKey | undefined {
  const { contact_id: id, email } = decodeBody(PreviewBroadcastRequest, body ?? {});
  if (id !== undefined && email !== undefined) {
    throw new ValidationError('The `contact_id` and `email` fields cannot be used together.');
  }
  if (id !== undefined && !isUuid(id)) throw new ValidationError('The `contact_id` must be a valid UUID.');
  if (email !== undefined) return { email };
  return id === undefined ? undefined : { id: id.toLowerCase() };
}

type Query = Readonly<Record<string, unknown>>;

const maxEmailLength = 320;

/** Reads the query of `GET /broadcasts/{id}/recipients` (docs/wire-contract.md section 17.5). */
export function decodeRecipientsQuery(query: Query): RecipientsRequest {
  const kind = oneOf<ResultKind>('type', query.type, resultKinds);
  if (kind === undefined) throw new MissingFieldError('type');
  const bounceType = oneOf<BounceType>('bounce_type', query.bounce_type, bounceTypes);
  if (bounceType !== undefined && kind !== 'bounced') {
    throw new ValidationError('The `bounce_type` parameter can only be used with `type=bounced`.');
  }
  const { email } = query;
  if (email === undefined || email === '') return { kind, bounceType };
  if (typeof email !== 'string' || email.length > maxEmailLength || email.includes('\0')) {
    throw new ValidationError(
      `The \`email\` parameter must be an address or a part of one, of at most ${maxEmailLength} characters.`,
    );
  }
  return { kind, bounceType, email: email.trim().toLowerCase() };
}

function oneOf<Name extends string>(parameter: string, value: unknown, names: readonly Name[]): Name | undefined {
  if (value === undefined || value === '') return undefined;
  const name = names.find((one) => one === value);
  if (name === undefined) throw new ValidationError(`The \`${parameter}\` must be one of: ${names.join(', ')}.`);
  return name;
}

/** Null takes the topic away. Clients send it on purpose, other nulls are absent fields. */
function requested(fields: UpdateBroadcastRequest, body: unknown): RequestedBroadcast {
  const { name, audience_id, segment_id = audience_id, topic_id, from, reply_to, subject } = fields;
  const hasNoTopic = (body as { topic_id?: unknown } | null)?.topic_id === null;
  return {
    ...{ name, segmentId: segment_id, topicId: hasNoTopic ? null : topic_id, from, subject },
    replyTo: typeof reply_to === 'string' ? [reply_to] : reply_to,
    previewText: fields.preview_text,
    html: wholeText(fields.html),
    text: wholeText(fields.text),
    options: fields.options,
  };
}

function wholeText(text: Text | undefined): string | undefined {
  if (text !== undefined && text.length > maxContentBytes) throw new BroadcastTooLargeError(maxContentBytes);
  return text?.toString();
}

function momentOf(text: string | undefined, now: Date): Date | undefined {
  return text === undefined ? undefined : parseScheduledAt(text, now);
}
