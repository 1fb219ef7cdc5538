import type { FastifyInstance } from 'fastify';

export interface AcceptedEmailTrace {
  readonly emailId: string;
  readonly door: 'http' | 'smtp';
  readonly recipients: number;
  /** Bytes of the email. */
  readonly size: number;
  /** When it was taken up, where no HTTP request says since when it has been under way. */
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
 * Tells an OpenTelemetry collector what becomes of each email: one trace from the request that brought it to the last
 * outcome, over processes, restarts and days. Costs nothing where no collector is configured. Spans hold ids, numbers and
 * host names, never addresses, subjects or content.
 */
export abstract class EmailTracing {
  /** From here on, what a request brings is linked with the caller's own trace (W3C `traceparent`). */
  abstract follow(fastify: FastifyInstance): void;

  /** Called once the emails are durable. */
  abstract accepted(emails: readonly AcceptedEmailTrace[]): void;

  /** Called once the outcomes are durable. */
  abstract attempted(attempts: readonly AttemptTrace[]): void;

  /** Hands over what has not been exported yet. */
  abstract close(): Promise<void>;
}

export class NoEmailTracing extends EmailTracing {
  follow(): void {}
  accepted(): void {}
  attempted(): void {}
  async close(): Promise<void> {}
}
