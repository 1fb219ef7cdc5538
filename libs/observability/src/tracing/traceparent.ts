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
