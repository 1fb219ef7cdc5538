import { ApiProperty, Id, Moment, OneOf } from '#platform/openapi';

/** The answer of `GET /emails/{id}/trace`, as the API describes itself. */
export class TraceResponse {
  @OneOf('trace') object!: 'trace';
  @Id() email_id!: string;
  @Moment() created_at!: string;
  @ApiProperty({ type: String, nullable: true }) scheduled_at!: string | null;
  /** Events of the email as a whole. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) events!: object[];
  /**
   * Per recipient: status, lane, what holds it, when it is tried next, its attempts, later reports and events. An attempt
   * has `timings_ms`: what `dns`, `connect`, `greeting`, `ehlo`, `tls`, `auth`, `mail` (MAIL and RCPT), `data` (DATA and the
   * content) and `reply` took, without what it did not go through.
   */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) recipients!: object[];
}
