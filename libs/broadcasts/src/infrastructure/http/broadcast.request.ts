import { ContactKey } from '#audience';
import { parseScheduledAt } from '#emails';
import { isUuid, MissingFieldError, ValidationError, maxReplyTo } from '#kernel';
import type { Text as BodyText } from '#kernel';
import { decodeBody } from '#http/server';
import { AnyObject, Example, Flag, LongText, Shape, Text, TextOrTexts } from '#http/openapi';
import {
  defaultBouncePercent,
  defaultComplaintPercent,
  maxTestedSubjects,
  maxWaitMinutes,
} from '../../domain/broadcast-options.js';
import { BroadcastTooLargeError } from '../../domain/broadcast-errors.js';
import {
  maxContentBytes,
  maxNameLength,
  maxPreviewLength,
  maxSubjectLength,
  RequestedBroadcast,
} from '../../domain/broadcast-fields.js';
import { BounceType, bounceTypes, RecipientsRequest, ResultKind, resultKinds } from '../../domain/statistics.js';
import { segmentId } from './example-ids.js';

/** Body of `PATCH /broadcasts/{id}` (docs/wire-contract.md section 17.2). The domain asks for what a new one needs. */
@Shape('The fields to change.')
@Example('subject', 'A new subject', { subject: 'More news' })
@Example('slowly', 'Not more than one email in an hour', { options: { throttle_per_hour: 1 } })
export class UpdateBroadcastRequest {
  @Text(`Name for people, at most ${maxNameLength} characters. It may always be changed.`, {
    optional: true,
    boundedByDomain: { maxLength: maxNameLength },
  })
  name?: string;
  @Text('The segment to whose contacts it is sent.', { optional: true, format: 'uuid' }) segment_id?: string;
  @Text('Old name of `segment_id`.', { optional: true, format: 'uuid', deprecated: true }) audience_id?: string;
  @Text('The topic. Contacts that opted out of it get nothing. Null takes it away.', {
    optional: true,
    format: 'uuid',
    nullable: true,
  })
  topic_id?: string;
  @Text('Sender, of a verified domain.', { optional: true }) from?: string;
  @TextOrTexts(`Addresses for replies, at most ${maxReplyTo}.`, { optional: true, maxItems: maxReplyTo })
  reply_to?: string | string[];
  @Text(`Subject, at most ${maxSubjectLength} characters. May have tags such as \`{{{FIRST_NAME|there}}}\`.`, {
    optional: true,
    boundedByDomain: { maxLength: maxSubjectLength },
  })
  subject?: string;
  @Text(
    'What mail programs show behind the subject; hidden in the email itself. A blank takes it away. May ' +
      'have tags such as `{{{FIRST_NAME|there}}}`.',
    { optional: true, boundedByDomain: { maxLength: maxPreviewLength } },
  )
  preview_text?: string;
  @LongText(
    'HTML body, with `{{{RESEND_UNSUBSCRIBE_URL}}}` where the link to unsubscribe should be; without ' +
      'one, a link is added at the end. May have tags such as `{{{FIRST_NAME|there}}}`. `html` and `text` ' +
      `together have at most ${maxContentBytes} bytes.`,
    { optional: true },
  )
  html?: BodyText;
  @LongText('Plain text body. Derived from the html if it is absent. May have tags such as `{{{FIRST_NAME|there}}}`.', {
    optional: true,
  })
  text?: BodyText;
  @AnyObject(
    'Addition of Postrider: how it is sent. It replaces all options. `throttle_per_hour`: emails per ' +
      'hour at most. And one of: `first_share` (`percent` or `contacts`, `wait_minutes`, ' +
      `\`max_bounce_percent\` (${defaultBouncePercent}), \`max_complaint_percent\` (${defaultComplaintPercent})): ` +
      'a share gets it first, and the rest after the wait if no limit is exceeded, or, without ' +
      '`wait_minutes`, once it is resumed; `local_time` (`property`, `time_zone`): at the time of day in ' +
      'the zone that the property of each contact names; `subject_test` (`subjects`: up to ' +
      `${maxTestedSubjects} more, \`share_percent\`, \`wait_minutes\`, \`winner\`: \`clicks\` or \`opens\`): a share ` +
      `tries the subjects, and the rest gets the best. Waits are at most ${maxWaitMinutes} minutes.`,
    { optional: true },
  )
  options?: Record<string, unknown>;
}

@Shape('A broadcast.')
@Example('draft', 'A draft', {
  name: 'November news',
  segment_id: segmentId,
  from: 'Acme <news@acme.example>',
  subject: 'News for {{{FIRST_NAME|you}}}',
  html: '<p>Hello {{{FIRST_NAME|there}}}</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
})
@Example('scheduled', 'Sent tomorrow', {
  segment_id: segmentId,
  from: 'Acme <news@acme.example>',
  subject: 'News for {{{FIRST_NAME|you}}}',
  html: '<p>Hello {{{FIRST_NAME|there}}}</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
  send: true,
  scheduled_at: 'tomorrow at 9am',
})
export class CreateBroadcastRequest extends UpdateBroadcastRequest {
  @Flag('Whether it is sent at once, or at `scheduled_at`. Otherwise it is a draft.', { optional: true })
  send?: boolean;
  @Text('When it is sent: ISO 8601 or natural English, with a time zone or in UTC. Only with `send`.', {
    optional: true,
    examples: ['in 1 hour'],
  })
  scheduled_at?: string;
}

@Shape('When it is sent.')
@Example('now', 'At once', {})
@Example('later', 'At a time', { scheduled_at: 'tomorrow at 9am' })
export class SendBroadcastRequest {
  @Text('ISO 8601 or natural English, with a time zone or in UTC. At once where it is absent.', {
    optional: true,
    examples: ['in 1 hour'],
  })
  scheduled_at?: string;
}

@Shape('Where to send it.')
@Example('two', 'Two addresses', { to: ['ada@customer.example', 'grace@customer.example'] })
export class TestBroadcastRequest {
  @TextOrTexts('Up to 10 addresses.') to!: string | string[];
}

@Shape('As whom to see it. Without a contact: as someone of the segment.')
@Example('contact', 'As a contact', { email: 'ada@customer.example' })
export class PreviewBroadcastRequest {
  @Text('Id of a contact.', { optional: true, format: 'uuid' }) contact_id?: string;
  @Text('Address of a contact.', { optional: true }) email?: string;
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
    name,
    segmentId: segment_id,
    topicId: hasNoTopic ? null : topic_id,
    from,
    subject,
    replyTo: typeof reply_to === 'string' ? [reply_to] : reply_to,
    previewText: fields.preview_text,
    html: wholeText(fields.html),
    text: wholeText(fields.text),
    options: fields.options,
  };
}

function wholeText(text: BodyText | undefined): string | undefined {
  if (text !== undefined && text.length > maxContentBytes) throw new BroadcastTooLargeError(maxContentBytes);
  return text?.toString();
}

function momentOf(text: string | undefined, now: Date): Date | undefined {
  return text === undefined ? undefined : parseScheduledAt(text, now);
}
