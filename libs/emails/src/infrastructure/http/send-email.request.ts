import { LargeText } from '#kernel';
import type { Text } from '#kernel';
import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { decodeBody } from '#platform/http';
import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import { SendRequest } from '../../domain/draft.js';
import { TagResponse } from './responses.js';
import { AttachmentRequest, decodeAttachments } from './attachment.request.js';
import { AllowedBy } from './field-rules.js';
import { parseScheduledAt } from './scheduled-at.js';

const isStringOrStrings = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof LargeText;

const isTextMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string');

const isTagList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (tag: unknown) =>
      typeof tag === 'object' &&
      tag !== null &&
      typeof (tag as { name?: unknown }).name === 'string' &&
      typeof (tag as { value?: unknown }).value === 'string',
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTemplate = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.id === 'string' &&
  value.id !== '' &&
  (value.variables == null || isObject(value.variables));

const isTracking = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { opens, clicks } = value as { opens?: unknown; clicks?: unknown };
  return [opens, clicks].every((choice) => choice === undefined || choice === null || typeof choice === 'boolean');
};

/**
 * Body of `POST /emails` (docs/wire-contract.md section 7.2). Checks only the types of fields; the domain layer checks
 * the rules of mail.
 */
export class SendEmailRequest {
  @ApiPropertyOptional({
    type: 'object',
    properties: { id: { type: 'string' }, variables: { type: 'object', additionalProperties: true } },
    required: ['id'],
  })
  @IsOptional()
  @AllowedBy(
    isTemplate,
    'The `template` field must be an object with the `id` of a template, and `variables` an object.',
  )
  template?: { id: string; variables?: Record<string, unknown> | null };

  @ApiPropertyOptional({ type: String, example: 'Acme <hello@acme.com>', description: 'Required without `template`' })
  @IsOptional()
  @IsString({ message: 'The `from` field must be a string.' })
  from?: string;

  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `to` field must be a string or an array of strings.')
  to?: string | string[];

  @ApiPropertyOptional({ type: String, description: 'Required without `template`' })
  @IsOptional()
  @IsString({ message: 'The `subject` field must be a string.' })
  subject?: string;

  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `cc` field must be a string or an array of strings.')
  cc?: string | string[];

  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `bcc` field must be a string or an array of strings.')
  bcc?: string | string[];

  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  @IsOptional()
  @AllowedBy(isStringOrStrings, 'The `reply_to` field must be a string or an array of strings.')
  reply_to?: string | string[];

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @AllowedBy(isText, 'The `html` field must be a string.')
  html?: Text;

  @ApiPropertyOptional({ type: String, description: 'Derived from `html` where absent' })
  @IsOptional()
  @AllowedBy(isText, 'The `text` field must be a string.')
  text?: Text;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @IsObject({ message: 'The `headers` field must be an object.' })
  @AllowedBy(isTextMap, 'The values of the `headers` field must be strings.')
  headers?: Record<string, string>;

  @ApiPropertyOptional({ type: String, example: 'in 1 hour' })
  @IsOptional()
  @IsString({ message: 'The `scheduled_at` field must be a string.' })
  scheduled_at?: string;

  @ApiPropertyOptional({ type: [AttachmentRequest] })
  @IsOptional()
  @IsArray({ message: 'The `attachments` field must be an array.' })
  attachments?: unknown[];

  @ApiPropertyOptional({ type: [TagResponse] })
  @IsOptional()
  @AllowedBy(isTagList, 'The `tags` field must be an array of objects with a `name` and a `value`.')
  tags?: { name: string; value: string }[];

  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @IsString({ message: 'The `topic_id` field must be a string.' })
  topic_id?: string;

  @ApiPropertyOptional({
    type: 'object',
    properties: { opens: { type: 'boolean' }, clicks: { type: 'boolean' } },
    description: 'Addition of Postrider. Absent fields have the setting of the domain',
  })
  @IsOptional()
  @AllowedBy(isTracking, 'The `tracking` field must be an object with the booleans `opens` and `clicks`.')
  tracking?: { opens?: boolean; clicks?: boolean };
}

/** Decodes one send request. `text: ''` means that no text part is derived from the html. */
export function decodeSendRequest(body: unknown, now: Date): SendRequest {
  const request = decodeBody(SendEmailRequest, body, ['text']);
  return {
    from: request.from,
    to: request.to,
    cc: request.cc,
    bcc: request.bcc,
    replyTo: request.reply_to,
    subject: request.subject,
    html: request.html,
    text: request.text,
    headers: request.headers,
    tags: request.tags?.map(({ name, value }) => ({ name, value })),
    attachments: decodeAttachments(request.attachments),
    scheduledAt: request.scheduled_at === undefined ? undefined : parseScheduledAt(request.scheduled_at, now),
    topicId: request.topic_id,
    template:
      request.template === undefined
        ? undefined
        : { id: request.template.id, variables: request.template.variables ?? {} },
    tracking: trackingOf(request.tracking),
  };
}

function trackingOf(tracking: SendEmailRequest['tracking']): SendRequest['tracking'] {
  if (tracking === undefined) return undefined;
  const { opens, clicks } = tracking;
  return {
    ...(typeof opens === 'boolean' ? { opens } : {}),
    ...(typeof clicks === 'boolean' ? { clicks } : {}),
  };
}
