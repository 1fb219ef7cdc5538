import type { Type } from '@nestjs/common';
import type { Schema } from './fields.js';
import { exampleOf, Schemas } from './schemas.js';

export interface WebhookDescription {
  readonly summary: string;
  readonly description: string;
  /** Schema of the `data` of a payload. */
  readonly data: Schema;
  /** Example of the `data`. */
  readonly example: unknown;
  /** Whether the event belongs to an email, so that the payload has a `sequence`. */
  readonly ofEmail?: true;
}

const headers: readonly Schema[] = [
  header('webhook-id', 'Id of the message, the same for all attempts and replays. Also sent as `svix-id`.', {
    schema: { type: 'string', pattern: '^msg_[0-9a-f]{32}$' },
    example: 'msg_0193a1f452f17b0d9e6a4c83d7a5f210',
  }),
  header('webhook-timestamp', 'Unix seconds of this attempt. Also sent as `svix-timestamp`.', {
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1796071200',
  }),
  header(
    'webhook-signature',
    'Signatures of `<id>.<timestamp>.<body>`, separated by spaces: `v1,` and the HMAC-SHA256 in base64 (Standard Webhooks). ' +
      'Also sent as `svix-signature`.',
    { schema: { type: 'string' }, example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' },
  ),
];

function header(name: string, description: string, more: Schema): Schema {
  return { name, in: 'header', required: true, description, ...more };
}

/** The `webhooks` section of the document, and the schemas of the payloads. */
export function describedWebhooks(
  chapters: readonly { readonly tag: string; readonly webhooks: Readonly<Record<string, WebhookDescription>> }[],
): {
  readonly webhooks: Schema;
  readonly schemas: Readonly<Record<string, Schema>>;
} {
  const described = chapters
    .flatMap(({ tag, webhooks }) => Object.entries(webhooks).map(([type, webhook]) => ({ tag, type, webhook })))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  return {
    webhooks: Object.fromEntries(
      described.map(({ tag, type, webhook }) => [type, { post: requestOf(tag, type, webhook) }]),
    ),
    schemas: Object.fromEntries(described.map(({ type, webhook }) => [schemaName(type), payloadSchema(type, webhook)])),
  };
}

function requestOf(tag: string, type: string, { summary, description, example, ofEmail }: WebhookDescription): Schema {
  const payload = {
    type,
    created_at: '2026-11-30T20:40:00.912Z',
    ...(ofEmail === true ? { sequence: 2 } : {}),
    data: example,
  };
  return {
    operationId: `on${pascalCase(type)}`,
    summary,
    description,
    tags: [tag],
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schemaName(type)}` }, example: payload },
      },
    },
    responses: { '2XX': { description: 'Received. Any other status, or none within 15 seconds, is tried again.' } },
  };
}

function payloadSchema(type: string, { summary, data, ofEmail }: WebhookDescription): Schema {
  return {
    type: 'object',
    description: `Body of a webhook: ${summary}`,
    required: ['type', 'created_at', ...(ofEmail === true ? ['sequence'] : []), 'data'],
    properties: {
      type: { const: type, type: 'string', description: `Always \`${type}\`.` },
      created_at: { type: 'string', format: 'date-time', description: 'When the event happened.' },
      ...(ofEmail === true
        ? { sequence: { type: 'integer', minimum: 1, description: 'Number of the event within its email.' } }
        : {}),
      data: { description: 'What the event is about.', ...data },
    },
  };
}

function schemaName(type: string): string {
  return `${pascalCase(type)}Payload`;
}

/** `email.delivery_delayed` becomes `EmailDeliveryDelayed`. */
function pascalCase(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Schemas for the fields of webhook payloads, which no class describes. */

export const textOf = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });

export const textOrNull = (description: string, more: Schema = {}): Schema => ({
  type: ['string', 'null'],
  description,
  ...more,
});

export const textsOf = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });

export const momentOf = (description: string): Schema => textOf(description, { format: 'date-time' });

/** What operations answer, as payloads have it. Operations must answer the shapes inside of it. */
export function schemaOfShape(type: Type, description: string, ...without: readonly string[]): Schema {
  const { properties, required, ...schema } = new Schemas().schemaOf(type) as {
    readonly properties: Schema;
    readonly required: readonly string[];
  };
  return {
    ...schema,
    description,
    required: required.filter((name) => !without.includes(name)),
    properties: omitted(properties, without),
  };
}

/** The example of such a schema. */
export function exampleOfShape(type: Type, ...without: readonly string[]): Schema {
  return omitted(exampleOf(type), without);
}

function omitted(fields: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** An object with these fields. All of them are always there, but for `optional` ones. */
export function allRequired(properties: Readonly<Record<string, Schema>>, ...optional: string[]): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}
