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

export class SentEmailAnswer {
  @Id() id!: string;
}

/** Of a change to an email. */
export class EmailReferenceAnswer {
  @OneOf('email') object!: 'email';
  @Id() id!: string;
}

export class BatchFaultAnswer {
  /** Position in the request. */
  @Whole() index!: number;
  @Text() message!: string;
}

export class BatchAcceptedAnswer {
  @ApiProperty({ type: [SentEmailAnswer] }) data!: SentEmailAnswer[];
  /** Only of a permissive batch. */
  @ApiPropertyOptional({ type: [BatchFaultAnswer] }) errors?: BatchFaultAnswer[];
}

export class EmailSummaryAnswer {
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

export class TagAnswer {
  @Text() name!: string;
  @Text() value!: string;
}

export class EmailAnswer extends EmailSummaryAnswer {
  @OneOf('email') object!: 'email';
  @TextOrNull() html!: string | null;
  @TextOrNull() text!: string | null;
  @ApiPropertyOptional({ type: [TagAnswer] }) tags?: TagAnswer[];
  @IdOrNull() topic_id!: string | null;
}

export class SharedEmailAnswer {
  @OneOf('email') object!: 'email';
  @Id() id!: string;
  @Text() url!: string;
}

export class EmailEventAnswer {
  @Whole() seq!: number;
  @Text() type!: string;
  @ApiProperty({ type: String, format: 'date-time' }) created_at!: string;
  @TextOrNull() recipient!: string | null;
  @ApiProperty({ type: Object, additionalProperties: true, nullable: true }) data!: unknown;
}

export class AttachmentSummaryAnswer {
  @Id() id!: string;
  @OptionalText() filename?: string;
  @Whole() size!: number;
  @Text() content_type!: string;
  @OneOf('inline', 'attachment') content_disposition!: 'inline' | 'attachment';
  @OptionalText() content_id?: string;
  /** Needs no API key, for about an hour. */
  @Text() download_url!: string;
  @ApiProperty({ type: String, format: 'date-time' }) expires_at!: string;
}

export class AttachmentAnswer extends AttachmentSummaryAnswer {
  @OneOf('attachment') object!: 'attachment';
}
