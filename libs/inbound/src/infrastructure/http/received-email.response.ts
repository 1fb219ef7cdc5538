import { ApiProperty, ApiPropertyOptional, Id, OneOf, OptionalText, Text, Texts, Whole } from '#platform/openapi';

class ReceivedAttachmentResponse {
  @Id() id!: string;
  @OptionalText() filename?: string;
  @ApiProperty({ type: 'integer', nullable: true }) size!: number | null;
  @Text() content_type!: string;
  @OptionalText() content_id?: string;
  @OptionalText() content_disposition?: string;
  /** Addition of Postrider. */
  @OptionalText() detected_type?: string;
}

const verdicts = ['pass', 'fail', 'gray', 'processing_failed', 'unknown'] as const;

class AuthenticationResponse {
  @OneOf(...verdicts) spf!: string;
  @OneOf(...verdicts) dkim!: string;
  @OneOf(...verdicts) dmarc!: string;
}

/** One received email in a list (docs/wire-contract.md section 8). */
export class ReceivedEmailSummaryResponse {
  @Id() id!: string;
  @Texts() to!: string[];
  @Text() from!: string;
  @ApiProperty({ type: String, format: 'date-time' }) created_at!: string;
  @Text() subject!: string;
  @ApiPropertyOptional({ type: [String] }) bcc?: string[];
  @ApiPropertyOptional({ type: [String] }) cc?: string[];
  @ApiPropertyOptional({ type: [String] }) reply_to?: string[];
  @Texts() received_for!: string[];
  @ApiPropertyOptional({ type: AuthenticationResponse }) authentication?: AuthenticationResponse;
  @Text() message_id!: string;
  @ApiProperty({ type: [ReceivedAttachmentResponse] }) attachments!: ReceivedAttachmentResponse[];
  @Id() thread_id!: string;
  @OptionalText() plus_tag?: string;
  @ApiPropertyOptional({ type: Number }) spam_score?: number;
}

class RawEmailResponse {
  @Text() download_url!: string;
  @ApiProperty({ type: String, format: 'date-time' }) expires_at!: string;
}

/** A received email with its content. */
export class ReceivedEmailResponse extends ReceivedEmailSummaryResponse {
  @OneOf('email') object!: 'email';
  @OptionalText() html?: string;
  @ApiPropertyOptional({ enum: ['data_uri', 'cid'] }) html_format?: string;
  @OptionalText() text?: string;
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } }) headers?: Record<string, string>;
  @ApiPropertyOptional({ type: RawEmailResponse }) raw?: RawEmailResponse;
  @OptionalText() reply_text?: string;
  @Text() envelope_from!: string;
  @Whole() size!: number;
  /** In the words of RFC 8601. */
  @ApiProperty({ type: Object, additionalProperties: true }) verdicts!: unknown;
}

export class ReceivedAttachmentSummaryResponse {
  @Id() id!: string;
  @OptionalText() filename?: string;
  @Whole() size!: number;
  @Text() content_type!: string;
  @OneOf('inline', 'attachment') content_disposition!: 'inline' | 'attachment';
  @OptionalText() content_id?: string;
  @OptionalText() detected_type?: string;
  @Text() download_url!: string;
  @ApiProperty({ type: String, format: 'date-time' }) expires_at!: string;
}

export class ReceivedAttachmentFileResponse extends ReceivedAttachmentSummaryResponse {
  @OneOf('attachment') object!: 'attachment';
}

export class ReceivedEmailReferenceResponse {
  @OneOf('email') object!: 'email';
  @Id() id!: string;
}
