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

export interface ParentTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Reads a `traceparent` header (W3C Trace Context, section 3.2). Undefined for anything else. */
export function parseTraceparent(header: unknown): ParentTrace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, flags] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined || version === 'ff') return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1 };
}
