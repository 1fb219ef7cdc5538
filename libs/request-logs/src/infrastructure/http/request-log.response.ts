import { ApiProperty, Id, Moment, OneOf, Text, TextOrNull, Whole } from '#platform/openapi';

export class RequestLogSummaryResponse {
  @Id() id!: string;
  @Moment() created_at!: string;
  @Text() endpoint!: string;
  @Text() method!: string;
  @Whole() response_status!: number;
  @TextOrNull() user_agent!: string | null;
}

const body = { type: Object, additionalProperties: true, nullable: true };

export class RequestLogResponse extends RequestLogSummaryResponse {
  @OneOf('log') object!: 'log';
  /** Bounded, and without secrets. */
  @ApiProperty(body) request_body!: unknown;
  @ApiProperty(body) response_body!: unknown;
}
