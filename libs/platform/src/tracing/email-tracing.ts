import type { FastifyInstance } from 'fastify';

export interface AcceptedEmailTrace {
  readonly emailId: string;
  readonly door: 'http' | 'smtp';
  readonly recipients: number;
  /** Size of the email in bytes. */
  readonly size: number;
  /** Start of the trace where there is no HTTP request with a start time. */
  readonly createdAt: Date;
}

export interface AttemptTrace {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly attempt: number;
  readonly queuedAt: Date;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: 'delivered' | 'deferred' | 'bounced';
  readonly isFinal: boolean;
  readonly host?: string;
  readonly replyCode?: number;
  readonly category?: string;
}

/**
 * Sends one trace per email to an OpenTelemetry collector, from the request that submitted it to the last outcome, across
 * processes, restarts and days. Does nothing where no collector is configured. Spans contain ids, numbers and host names, never
 * addresses, subjects or content.
 */
export abstract class EmailTracing {
  /** Links the emails of each request with the trace of the caller (W3C `traceparent`). */
  abstract follow(fastify: FastifyInstance): void;

  /** Called once the emails are durable. */
  abstract accepted(emails: readonly AcceptedEmailTrace[]): void;

  /** Called once the outcomes are durable. */
  abstract attempted(attempts: readonly AttemptTrace[]): void;

  /** Exports the remaining spans. */
  abstract close(): Promise<void>;
}

export class NoEmailTracing extends EmailTracing {
  follow(): void {}
  accepted(): void {}
  attempted(): void {}
  async close(): Promise<void> {}
}
