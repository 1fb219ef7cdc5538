import {
  Always,
  Field,
  Id,
  Instant,
  ListOf,
  OneOf,
  OneOfOrNull,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  TextsOrNull,
} from '#http/openapi';

export const attachmentId = '0193a1f4-52e6-7d0a-8c5b-7d0a3c5b9f12';
export const receivedId = '0193a1f4-52e6-7c1e-9f0b-8e1f4c2d7b90';
export const threadId = '5f3c2b1a-9d8e-8c7b-8a69-584736251409';

@Shape('An attachment of a received email.')
export class ReceivedAttachmentResponse {
  @Id('Id of the attachment.', attachmentId) id!: string;
  @TextOrNull('File name; null if it has none.', 'invoice.pdf') filename!: string | null;
  @Field('Bytes, decoded; null if it is not known.', { type: 'integer', nullable: true, minimum: 0 }, 20_481)
  size!: number | null;
  @Text('Media type, as the sender says.', 'application/pdf') content_type!: string;
  @TextOrNull('Name by which the html refers to it as `cid:<content_id>`; null if it has none.')
  content_id!: string | null;
  @TextOrNull('`inline` or `attachment`; null if the email does not say.', 'attachment')
  content_disposition!: string | null;
  @TextOrNull(
    'Media type that its first bytes show; null if they show nothing. An addition of Postrider.',
    'application/pdf',
  )
  detected_type!: string | null;
}

const verdicts = ['pass', 'fail', 'gray', 'processing_failed', 'unknown'] as const;

@Shape('Results of the authentication of the sender of a received email.')
class AuthenticationResponse {
  @OneOf(
    verdicts,
    'Verdict on SPF (RFC 7208). `gray`: neither right nor wrong. `unknown`: the sender publishes nothing.',
    'pass',
  )
  spf!: string;
  @OneOf(
    verdicts,
    'Verdict on DKIM (RFC 6376). `gray`: neither right nor wrong. `unknown`: the sender publishes nothing.',
    'pass',
  )
  dkim!: string;
  @OneOf(
    verdicts,
    'Verdict on DMARC. `gray`: neither right nor wrong. `unknown`: the sender publishes nothing.',
    'pass',
  )
  dmarc!: string;
}

/** One received email in a list (docs/wire-contract.md section 8). */
@Shape('A received email without its content.')
export class ReceivedEmailSummaryResponse {
  @Id('Id of the received email.', receivedId) id!: string;
  @Texts('Addresses of its `To` field.', ['support+orders@acme.example']) to!: string[];
  @Text('Address of its author; empty if it names none.', 'ada@customer.example') from!: string;
  @Instant('When it was received.', '2026-11-30T20:39:59.540Z') created_at!: string;
  @Text('Subject line.', 'Where is my order?') subject!: string;
  @TextsOrNull('Addresses of its `Bcc` field; null if it has none.') bcc!: string[] | null;
  @TextsOrNull('Addresses of its `Cc` field; null if it has none.') cc!: string[] | null;
  @TextsOrNull('Addresses for replies; null if there are none.') reply_to!: string[] | null;
  @Texts('Your addresses to which it was delivered.', ['support+orders@acme.example']) received_for!: string[];
  @Field('Results of the authentication of its sender.', { type: AuthenticationResponse })
  authentication!: AuthenticationResponse;
  @Text('Its `Message-ID`, with angle brackets; empty if it has none.', '<b7d2a9c6e31@customer.example>')
  message_id!: string;
  @ListOf(ReceivedAttachmentResponse, 'Its attachments.') attachments!: ReceivedAttachmentResponse[];
  @Id('The same for all emails that answer the same first message. An addition of Postrider.', threadId)
  thread_id!: string;
  @TextOrNull(
    'What follows the `+` in the address to which it was delivered; null if there is none. An addition ' +
      'of Postrider.',
    'orders',
  )
  plus_tag!: string | null;
  @Field(
    'The score of the spam scorer; null if none is configured, or it did not respond. An addition of ' + 'Postrider.',
    { type: Number, nullable: true },
    0.7,
  )
  spam_score!: number | null;
}

@Shape('The bytes of a received email.')
class RawEmailResponse {
  @Field(
    'URL of the RFC 5322 source. Needs no API key, for about an hour.',
    { format: 'uri' },
    'https://mail.acme.example/shared/received/0193a1f4-52e6-7c1e-9f0b-8e1f4c2d7b90/raw?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo',
  )
  download_url!: string;
  @Instant('When `download_url` expires.', '2026-11-30T21:39:59.000Z') expires_at!: string;
}

/** A received email with its content. */
@Shape('A received email.')
export class ReceivedEmailResponse extends ReceivedEmailSummaryResponse {
  @Always('email') object!: 'email';
  @TextOrNull('HTML body; null if it has none.') html!: string | null;
  @OneOfOrNull(
    ['data_uri', 'cid'],
    '`data_uri`: the html contains inline images; `cid`: it refers to attachments. Null if it has no html.',
  )
  html_format!: string | null;
  @TextOrNull(
    'Plain text body; null if it has none.',
    'It was to come on Friday.\n\nOn Thursday Acme wrote:\n> It is on its way.',
  )
  text!: string | null;
  @Field(
    'Headers by name, in lower case. Values of repeated fields are joined with line feeds.',
    { type: 'object', additionalProperties: { type: 'string' } },
    { from: 'Ada <ada@customer.example>', subject: 'Where is my order?' },
  )
  headers!: Record<string, string>;
  @Field('The source of the email.', { type: RawEmailResponse }) raw!: RawEmailResponse;
  @TextOrNull(
    'What the author wrote, without quoted mail and signature; null if that cannot be told. An ' +
      'addition of Postrider.',
    'It was to come on Friday.',
  )
  reply_text!: string | null;
  @Text(
    'The envelope sender (RFC 5321); empty for bounces and automatic mail. An addition of Postrider.',
    'ada@customer.example',
  )
  envelope_from!: string;
  @Field('Bytes of the email as received. An addition of Postrider.', { type: 'integer', minimum: 0 }, 31_207)
  size!: number;
  /** In the words of RFC 8601. */
  @Field(
    'Everything that was found out about its origin, in the words of RFC 8601, with the score and symbols ' +
      'of the spam scorer and the result of the virus scanner. An addition of Postrider.',
    { type: Object, additionalProperties: true },
    {
      spf: { result: 'pass', domain: 'customer.example' },
      dkim: [{ result: 'pass', domain: 'customer.example', selector: 's1', aligned: true }],
      dmarc: { result: 'pass', domain: 'customer.example', policy: 'reject', aligned_by: ['spf', 'dkim'] },
      arc: { result: 'none', sets: 0 },
      fcrdns: { result: 'pass', name: 'mail.customer.example' },
      spam: { score: 0.7, required_score: 15, is_spam: false, symbols: { MIME_GOOD: -0.1 } },
      virus: { result: 'clean' },
      automatic: null,
      depth: 0,
    },
  )
  verdicts!: unknown;
}

@Shape('An attachment of a received email, with a link to its content.')
export class ReceivedAttachmentSummaryResponse {
  @Id('Id of the attachment.', attachmentId) id!: string;
  @TextOrNull('File name; null if it has none.', 'invoice.pdf') filename!: string | null;
  @Field('Bytes, decoded.', { type: 'integer', minimum: 0 }, 20_481) size!: number;
  @Text('Media type, as the sender says.', 'application/pdf') content_type!: string;
  @OneOf(['inline', 'attachment'], 'How the sender wants it to be shown.', 'attachment')
  content_disposition!: 'inline' | 'attachment';
  @TextOrNull('Name by which the html refers to it as `cid:<content_id>`; null if it has none.')
  content_id!: string | null;
  @TextOrNull(
    'Media type that its first bytes show; null if they show nothing. An addition of Postrider.',
    'application/pdf',
  )
  detected_type!: string | null;
  @Field(
    'URL of the content. Needs no API key, for about an hour.',
    { format: 'uri' },
    'https://mail.acme.example/shared/received/0193a1f4-52e6-7c1e-9f0b-8e1f4c2d7b90/attachments/0193a1f4-52e6-7d0a-8c5b-7d0a3c5b9f12?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo',
  )
  download_url!: string;
  @Instant('When `download_url` expires.', '2026-11-30T21:39:59.000Z') expires_at!: string;
}

@Shape('An attachment of a received email, with a link to its content.')
export class ReceivedAttachmentFileResponse extends ReceivedAttachmentSummaryResponse {
  @Always('attachment') object!: 'attachment';
}

@Shape('Names a received email.')
export class ReceivedEmailReferenceResponse extends ReferenceTo('email', 'Id of the received email.', receivedId) {}
