import type { FastifyInstance } from 'fastify';

export interface SpanIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** A span that is over. */
export interface FinishedSpan {
  readonly name: string;
  /** Random if they are left out. */
  readonly ids?: SpanIds;
  /** Undefined for the first span of a trace. */
  readonly parent?: SpanIds;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly attributes: SpanAttributes;
  readonly hasFailed?: boolean;
  /** It serves the present request: it starts with it, and is linked with the trace of its caller (W3C `traceparent`). */
  readonly servesRequest?: boolean;
}

/**
 * Exports traces to an OpenTelemetry collector. What is exported must hold no addresses, subjects or content of mail: ids,
 * numbers and host names only. Neither method waits or throws.
 */
export abstract class Tracing {
  /** False if no collector is configured: nothing needs to be gathered. */
  abstract readonly isOn: boolean;

  /** From here on the start and the caller's trace of each HTTP request are known to `record`. */
  abstract follow(fastify: FastifyInstance): void;

  abstract record(span: FinishedSpan): void;

  /** Hands over what has not been exported yet. */
  abstract close(): Promise<void>;
}

export class NoTracing extends Tracing {
  readonly isOn = false;
  follow(): void {}
  record(): void {}
  async close(): Promise<void> {}
}
