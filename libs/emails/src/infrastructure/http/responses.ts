import {
  ApiProperty,
  ApiPropertyOptional,
  Id,
  IdOrNull,
  Moment,
  MomentOrNull,
  OneOf,
  OptionalText,
  Text,
  TextOrNull,
  Texts,
  TextsOrNull,
  Whole,
} from '#platform/openapi';

export class SentEmailResponse {
  @Id() id!: string;
}

/** The response to a change of an email. */
export class EmailReferenceResponse {
  @OneOf('email') object!: 'email';
  @Id() id!: string;
}

export class BatchFaultResponse {
  /** Position in the request. */
  @Whole() index!: number;
  @Text() message!: string;
}

export class BatchAcceptedResponse {
  @ApiProperty({ type: [SentEmailResponse] }) data!: SentEmailResponse[];
  /** Only for a permissive batch. */
  @ApiPropertyOptional({ type: [BatchFaultResponse] }) errors?: BatchFaultResponse[];
}

export class EmailSummaryResponse {
  @Id() id!: string;
  @Text() message_id!: string;
  @Texts() to!: string[];
  @Text() from!: string;
  @Moment() created_at!: string;
  @Text() subject!: string;
  @TextsOrNull() bcc!: string[] | null;
  @TextsOrNull() cc!: string[] | null;
  @TextsOrNull() reply_to!: string[] | null;
  @OneOf(
    'queued',
    'scheduled',
    'sent',
    'delivered',
    'delivery_delayed',
    'bounced',
    'complained',
    'opened',
    'clicked',
    'failed',
    'suppressed',
    'canceled',
  )
  last_event!: string;
  @MomentOrNull() scheduled_at!: string | null;
}

export class TagResponse {
  @Text() name!: string;
  @Text() value!: string;
}

export class EmailResponse extends EmailSummaryResponse {
  @OneOf('email') object!: 'email';
  @TextOrNull() html!: string | null;
  @TextOrNull() text!: string | null;
  @ApiPropertyOptional({ type: [TagResponse] }) tags?: TagResponse[];
  @IdOrNull() topic_id!: string | null;
}

export class SharedEmailResponse {
  @OneOf('email') object!: 'email';
  @Id() id!: string;
  @Text() url!: string;
}

/** The response to `GET /emails/{id}/preview`. */
export class EmailPreviewResponse {
  @OneOf('email_preview') object!: 'email_preview';
  @Id() id!: string;
  @Text() url!: string;
  @ApiProperty({ type: String, format: 'date-time' }) expires_at!: string;
}

export class EmailEventResponse {
  @Whole() seq!: number;
  @Text() type!: string;
  @ApiProperty({ type: String, format: 'date-time' }) created_at!: string;
  @TextOrNull() recipient!: string | null;
  @ApiProperty({ type: Object, additionalProperties: true, nullable: true }) data!: unknown;
}

export class AttachmentSummaryResponse {
  @Id() id!: string;
  @OptionalText() filename?: string;
  @Whole() size!: number;
  @Text() content_type!: string;
  @OneOf('inline', 'attachment') content_disposition!: 'inline' | 'attachment';
  @OptionalText() content_id?: string;
  /** The URL needs no API key, and expires after about an hour. */
  @Text() download_url!: string;
  @ApiProperty({ type: String, format: 'date-time' }) expires_at!: string;
}

export class AttachmentResponse extends AttachmentSummaryResponse {
  @OneOf('attachment') object!: 'attachment';
}
