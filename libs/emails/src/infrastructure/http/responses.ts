import {
  Always,
  Field,
  Id,
  IdOrNull,
  Instant,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  OptionalField,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  TextsOrNull,
} from '#http/openapi';
import { lastEvents } from '../../domain/email-filter.js';
import { attachmentId, emailId, otherEmailId } from './example-ids.js';

@Shape('An accepted email.')
export class SentEmailResponse {
  @Id('Id of the email.', emailId) id!: string;
}

/** The response to a change of an email. */
@Shape('The email that was changed.')
export class EmailReferenceResponse extends ReferenceTo('email', 'Id of the email.', emailId) {}

@Shape('Why an email of a permissive batch was not accepted.')
export class BatchFaultResponse {
  /** Position in the request. */
  @Field('Position in the request, from 0.', { type: 'integer', minimum: 0 }, 2) index!: number;
  @Text('What is wrong with it.', 'Missing `to` field.') message!: string;
}

@Shape('The result of a batch.')
export class BatchAcceptedResponse {
  @ListOf(SentEmailResponse, 'The accepted emails, in the order of the request.', [
    { id: emailId },
    { id: otherEmailId },
  ])
  data!: readonly SentEmailResponse[];
  /** Only for a permissive batch. */
  @OptionalField('The emails that were not accepted. Only for a permissive batch.', { type: [BatchFaultResponse] }, [
    { index: 2, message: 'Missing `to` field.' },
  ])
  errors?: readonly BatchFaultResponse[];
}

@Shape('An email without its bodies.')
export class EmailSummaryResponse {
  @Id('Id of the email.', emailId) id!: string;
  @Text(
    'The `Message-ID` header of the email, with its angle brackets.',
    '<0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31@acme.example>',
  )
  message_id!: string;
  @Texts('Recipients, with their addresses in normal form: domains in lower case, names quoted where they must be.', [
    'ada@customer.example',
  ])
  to!: string[];
  @Text('Sender, with its address in normal form.', 'Acme <hello@acme.example>') from!: string;
  @Moment('When the email was accepted.') created_at!: string;
  @Text('Subject line.', 'Your order is on its way') subject!: string;
  @TextsOrNull('Blind-copy recipients; null if there are none.') bcc!: string[] | null;
  @TextsOrNull('Copy recipients; null if there are none.') cc!: string[] | null;
  @TextsOrNull('Addresses for replies; null if there are none.', ['support@acme.example'])
  reply_to!: string[] | null;
  @OneOf(
    lastEvents,
    'State of the email: `queued` or `scheduled` before delivery, afterwards the latest event of its recipients.',
    'delivered',
  )
  last_event!: string;
  @MomentOrNull('When the email will be sent; null where it was not scheduled.') scheduled_at!: string | null;
}

@Shape('Your own name and value.')
export class TagResponse {
  @Field('ASCII letters, digits, `_` and `-`, 1 to 256 characters.', { pattern: '^[A-Za-z0-9_-]{1,256}$' }, 'category')
  name!: string;
  @Field('ASCII letters, digits, `_` and `-`, 1 to 256 characters.', { pattern: '^[A-Za-z0-9_-]{1,256}$' }, 'shipping')
  value!: string;
}

@Shape('An email.')
export class EmailResponse extends EmailSummaryResponse {
  @Always('email') object!: 'email';
  @TextOrNull('HTML body; null if it has none.', '<p>It arrives on <b>Friday</b>.</p>') html!: string | null;
  @TextOrNull('Plain text body; null if it has none.', 'It arrives on Friday.') text!: string | null;
  @OptionalField('Tags; absent where it has none.', { type: [TagResponse] }, [{ name: 'category', value: 'shipping' }])
  tags?: TagResponse[];
  @IdOrNull('Id of the topic of the email; null if it has none.') topic_id!: string | null;
}

@Shape('A link to an email.')
export class SharedEmailResponse {
  @Always('email') object!: 'email';
  @Id('Id of the email.', emailId) id!: string;
  @Field(
    'Page that shows the email to anyone with the link, without an API key.',
    { format: 'uri' },
    'https://mail.acme.example/shared/emails/0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo',
  )
  url!: string;
}

/** The response to `GET /emails/{id}/preview`. */
@Shape('A link to the HTML of an email, for a frame.')
export class EmailPreviewResponse {
  @Always('email_preview') object!: 'email_preview';
  @Id('Id of the email.', emailId) id!: string;
  @Field(
    'Address of the document. It needs no API key.',
    { format: 'uri' },
    'https://mail.acme.example/shared/previews/0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo',
  )
  url!: string;
  @Instant('When the link ends.', '2026-11-30T20:49:59.000Z') expires_at!: string;
}

@Shape('Something that happened to an email.')
export class EmailEventResponse {
  @Field('Number of the event within its email, from 1 without gaps.', { type: 'integer', minimum: 1 }, 1)
  seq!: number;
  @Text('What happened, such as `email.delivered`.', 'email.sent') type!: string;
  @Instant('When it happened.', '2026-11-30T20:39:59.540Z') created_at!: string;
  @TextOrNull('Address of the recipient concerned; null if the event concerns the whole email.')
  recipient!: string | null;
  @Field('Details, by type of event; null if there are none.', {
    type: Object,
    additionalProperties: true,
    nullable: true,
  })
  data!: unknown;
}

@Shape('An attachment of an email.')
export class AttachmentSummaryResponse {
  @Id('Id of the attachment.', attachmentId) id!: string;
  @TextOrNull('File name; null if it has none.', 'invoice.txt') filename!: string | null;
  @Field('Bytes, decoded.', { type: 'integer', minimum: 0 }, 24) size!: number;
  @Text('Media type.', 'text/plain') content_type!: string;
  @OneOf(
    ['inline', 'attachment'],
    '`inline` for content that the html refers to by `cid:`, else `attachment`.',
    'attachment',
  )
  content_disposition!: 'inline' | 'attachment';
  @TextOrNull('Name by which the html refers to it as `cid:<content_id>`; null if it is not inline.')
  content_id!: string | null;
  /** The URL needs no API key, and expires after about an hour. */
  @Field(
    'URL of the content. Needs no API key, for about an hour.',
    { format: 'uri' },
    'https://mail.acme.example/shared/attachments/0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31/0193a1f4-52e6-7c1e-9f0b-7d0a3c5b9f12?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo',
  )
  download_url!: string;
  @Instant('When `download_url` expires.', '2026-11-30T21:39:59.000Z') expires_at!: string;
}

@Shape('An attachment of an email.')
export class AttachmentResponse extends AttachmentSummaryResponse {
  @Always('attachment') object!: 'attachment';
}
