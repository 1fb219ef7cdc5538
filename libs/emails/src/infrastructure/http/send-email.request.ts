import type { Text as BodyText } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, ListOf, LongText, PlainObject, Shape, Text, TextMap, TextOrTexts } from '#http/openapi';
import { maxHeaders, maxHeadersLength, maxValueLength } from '../../domain/custom-headers.js';
import { maxTags } from '../../domain/email-fields.js';
import { maxRecipients, maxSubjectLength, requireFields, requireRecipient, SendRequest } from '../../domain/draft.js';
import { TagResponse } from './responses.js';
import { AttachmentRequest, decodeAttachments, maxAttachments } from './attachment.request.js';
import { maxNaturalLength, parseScheduledAt } from './scheduled-at.js';

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
@Shape(
  'An email to send. `from`, `to`, `subject` and one of `html`, `text` and `template` are required; a ' +
    'template may have the sender and the subject.',
)
@Example('simple', 'An email with html and text', {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your order is on its way',
  html: '<p>It arrives on <b>Friday</b>.</p>',
  text: 'It arrives on Friday.',
})
@Example('complete', 'Copies, tags, headers and an attachment, for tomorrow', {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your invoice',
  html: '<p>It arrives on <b>Friday</b>.</p>',
  text: 'It arrives on Friday.',
  cc: ['Grace Hopper <grace@customer.example>'],
  bcc: ['archive@acme.example'],
  reply_to: ['support@acme.example'],
  headers: { 'X-Entity-Ref-ID': 'invoice-1042' },
  attachments: [{ filename: 'invoice.txt', content: 'SW52b2ljZSAxMDQyOiAxOS45MCBFVVIK', content_type: 'text/plain' }],
  tags: [{ name: 'category', value: 'invoice' }],
  tracking: { opens: false, clicks: false },
  scheduled_at: 'tomorrow at 9am',
})
@Example('template', 'A stored template with values', {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  template: { id: '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6', variables: { NAME: 'Ada', ORDER: 1042 } },
})
export class SendEmailRequest {
  @PlainObject(
    'A published template in place of `html` and `text`. `from`, `subject` and `reply_to` of the request ' +
      'take precedence. The email keeps the version that is published when it is accepted.',
    {
      optional: true,
      properties: {
        id: { type: 'string', description: 'Id of the template, or its alias.' },
        variables: {
          type: 'object',
          description: 'Values by the keys of its variables. Other keys are ignored.',
          additionalProperties: true,
        },
      },
      allows: isTemplate,
      message: 'The `template` field must be an object with the `id` of a template, and `variables` an object.',
    },
  )
  template?: { id: string; variables?: Record<string, unknown> | null };
  @Text(
    'Sender: an address such as `ada@customer.example`, or one with a name such as `Ada ' +
      '<ada@customer.example>`. Its domain must be one of yours, verified for sending.',
    { optional: true, examples: ['Acme <hello@acme.com>'] },
  )
  from?: string;
  @TextOrTexts(
    'Recipients: an address such as `ada@customer.example`, or one with a name such as `Ada ' +
      `<ada@customer.example>\`. \`to\`, \`cc\` and \`bcc\` together have at most ${maxRecipients}.`,
    { requiredByDomain: true, minItems: 1, maxItems: maxRecipients },
  )
  to?: string | string[];
  @Text(`Subject line without line breaks, at most ${maxSubjectLength} characters.`, {
    optional: true,
    boundedByDomain: { maxLength: maxSubjectLength },
  })
  subject?: string;
  @TextOrTexts(`Copy recipients. \`to\`, \`cc\` and \`bcc\` together have at most ${maxRecipients}.`, {
    optional: true,
    minItems: 0,
    maxItems: maxRecipients,
  })
  cc?: string | string[];
  @TextOrTexts(
    'Blind-copy recipients, which no other recipient sees. `to`, `cc` and `bcc` together have at most ' +
      `${maxRecipients}.`,
    { optional: true, minItems: 0, maxItems: maxRecipients },
  )
  bcc?: string | string[];
  @TextOrTexts(`Addresses for replies, at most ${maxRecipients}.`, {
    optional: true,
    minItems: 0,
    maxItems: maxRecipients,
  })
  reply_to?: string | string[];
  @LongText('HTML body.', { optional: true }) html?: BodyText;
  @LongText('Plain text body. Derived from `html` where it is absent; an empty string means: no plain text body.', {
    optional: true,
  })
  text?: BodyText;
  @TextMap(
    `Further headers by name: at most ${maxHeaders}, of at most ${maxValueLength} characters each and ` +
      `${maxHeadersLength} together. Headers that the service writes itself, such as \`Date\` or ` +
      '`DKIM-Signature`, are refused.',
    { optional: true, maxProperties: maxHeaders, additionalProperties: { type: 'string', maxLength: maxValueLength } },
  )
  headers?: Record<string, string>;
  @Text(
    'When to send: ISO 8601 (`2026-12-01T09:00:00Z`), or natural English such as `in 1 ' +
      `hour\` or \`tomorrow at 9am\`, of at most ${maxNaturalLength} characters. Both may name a ` +
      'zone (`Europe/Berlin`, `Pacific time`) and mean UTC without one. What is not understood is refused. At most 30 days ' +
      'ahead. Without it the email is sent at once.',
    { optional: true, examples: ['in 1 hour'] },
  )
  scheduled_at?: string;
  @ListOf(AttachmentRequest, `Files, at most ${maxAttachments}.`, {
    optional: true,
    boundedByDomain: { maxItems: maxAttachments },
  })
  attachments?: unknown[];
  @ListOf(TagResponse, `Your own names and values, which webhooks include, at most ${maxTags}.`, {
    optional: true,
    boundedByDomain: { maxItems: maxTags },
    allows: isTagList,
    message: 'The `tags` field must be an array of objects with a `name` and a `value`.',
  })
  tags?: { name: string; value: string }[];
  @Text('Id of a topic of the team. Contacts that do not have it do not get the email; see `docs/unsubscribing.md`.', {
    optional: true,
    format: 'uuid',
  })
  topic_id?: string;
  @PlainObject(
    'Whether opens and clicks are tracked; absent fields have the setting of the domain. An addition of ' +
      'Postrider.',
    {
      optional: true,
      properties: {
        opens: { type: 'boolean', description: 'Track opens with a pixel in the html.' },
        clicks: { type: 'boolean', description: 'Track clicks by rewriting the links of the html.' },
      },
      allows: isTracking,
      message: 'The `tracking` field must be an object with the booleans `opens` and `clicks`.',
    },
  )
  tracking?: { opens?: boolean; clicks?: boolean };
}

/** Decodes one send request. `text: ''` means that no text part is derived from the html. */
export function decodeSendRequest(body: unknown, now: Date): SendRequest {
  const request = decodeBody(SendEmailRequest, body, ['text']);
  // Here, because attachments and the time are decoded next, and the contract puts fields that are absent first.
  if (request.template === undefined) requireFields(request);
  else requireRecipient(request.to);
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
