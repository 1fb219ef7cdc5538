import { ApiProperty, Id, Moment, OneOf } from '#platform/openapi';

// The parts of a trace. `description/trace-schemas.ts` describes their fields under the same names.

export interface TraceEvent {
  readonly seq: number;
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface TraceReport {
  readonly received_at: string;
  readonly kind: string;
  readonly reporter: string | null;
  readonly action: string | null;
  readonly status: string | null;
  readonly category: string | null;
  readonly diagnostic: string | null;
  readonly effect: string;
}

export interface TraceReply {
  readonly code: number;
  readonly enhanced_code: string | null;
  readonly text: string | null;
}

export interface TraceTls {
  readonly certificate_error: unknown;
  readonly plaintext_reason: unknown;
  readonly policy_failure: unknown;
}

export interface TraceAttempt {
  readonly attempt: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly outcome: 'delivered' | 'deferred' | 'bounced';
  readonly outcome_unknown: boolean;
  readonly category: string | null;
  readonly reason: string | null;
  readonly host: string | null;
  readonly address: string | null;
  readonly tls: TraceTls | null;
  readonly reply: TraceReply | null;
  readonly timings_ms: Readonly<Record<string, number>> | null;
}

export interface TraceLimit {
  readonly current: number;
  readonly most: number;
}

export interface TraceLimits {
  readonly profile: string;
  readonly site: string;
  readonly source: string | null;
  readonly connections: TraceLimit;
  readonly messages_per_minute: TraceLimit;
}

export interface TraceHold {
  readonly kind: string;
  readonly until: string | null;
  readonly reason: string;
  readonly limit: TraceLimits | null;
}

export interface TraceRecipient {
  readonly recipient: string;
  readonly status: string;
  readonly queued_at: string | null;
  readonly lane: string | null;
  readonly next_attempt_at: string | null;
  readonly held_by: TraceHold | null;
  readonly attempts: readonly TraceAttempt[];
  readonly reports: readonly TraceReport[];
  readonly events: readonly TraceEvent[];
}

/** The response of `GET /emails/{id}/trace`. */
export class TraceResponse {
  @OneOf('trace') object!: 'trace';
  @Id() email_id!: string;
  @Moment() created_at!: string;
  @ApiProperty({ type: String, nullable: true }) scheduled_at!: string | null;
  /** Events of the email as a whole. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) events!: TraceEvent[];
  /**
   * Per recipient: status, lane, what holds it, when it is tried next, its attempts, later reports and events. An attempt
   * has `timings_ms`: what `dns`, `connect`, `greeting`, `ehlo`, `tls`, `auth`, `mail` (MAIL and RCPT), `data` (DATA and the
   * content) and `reply` took, without what it did not go through.
   */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) recipients!: TraceRecipient[];
}
