import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance } from 'fastify';
import { withoutTrailing } from '#kernel';
import { FinishedSpan, ParentTrace, parseTraceparent, SpanIds, Tracing } from './tracing.js';

/**
 * Random ids, except for the next span, which gets the ids passed to `next`. The span must be created synchronously
 * after it.
 */
class GivenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private traceId: string | undefined;
  private spanId: string | undefined;

  next(traceId: string, spanId: string): void {
    this.traceId = traceId;
    this.spanId = spanId;
  }

  generateTraceId(): string {
    const given = this.traceId;
    this.traceId = undefined;
    return given ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    const given = this.spanId;
    this.spanId = undefined;
    return given ?? this.random.generateSpanId();
  }
}

interface RequestTrace {
  readonly startedAt: number;
  readonly parent: ParentTrace | undefined;
}

/** Spans that wait for the collector. While it is away, what comes beyond is dropped: mail does not wait for traces. */
const maxWaitingSpans = 20_000;
const exportEveryMs = 1_000;
/** For one export with its repetitions, and for the last one at a stop. */
const patienceMs = 3_000;

/** Loaded only if a collector is configured. */
export class OtlpTracing extends Tracing {
  readonly isOn = true;
  private readonly requests = new AsyncLocalStorage<RequestTrace>();
  private readonly ids = new GivenIds();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  /** @param share of the traces that are exported, 0 to 1. Decided by the id of the trace, so for a trace as a whole. */
  constructor(endpoint: string, share: number) {
    super();
    const exporter = new OTLPTraceExporter({
      url: `${withoutTrailing(endpoint, '/')}/v1/traces`,
      timeoutMillis: patienceMs,
    });
    this.provider = new TracerProvider({
      idGenerator: this.ids,
      resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'postrider' })),
      sampler: new TraceIdRatioBasedSampler(share),
      spanProcessors: [
        new BatchSpanProcessor({ exporter, maxQueueSize: maxWaitingSpans, scheduledDelayMillis: exportEveryMs }),
      ],
    });
    this.tracer = this.provider.getTracer('postrider');
  }

  follow(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', (request, reply, done) => {
      const startedAt = Date.now() - reply.elapsedTime;
      this.requests.run({ startedAt, parent: parseTraceparent(request.headers.traceparent) }, done);
    });
  }

  record({ name, ids, parent, startedAt, endedAt, attributes, hasFailed, servesRequest }: FinishedSpan): void {
    const request = servesRequest === true ? this.requests.getStore() : undefined;
    if (ids !== undefined) this.ids.next(ids.traceId, ids.spanId);
    const options = {
      kind: servesRequest === true ? SpanKind.SERVER : SpanKind.INTERNAL,
      startTime: request?.startedAt ?? startedAt,
      attributes,
      links: request?.parent === undefined ? [] : [{ context: request.parent }],
    };
    const span = this.tracer.startSpan(name, options, parent === undefined ? ROOT_CONTEXT : within(parent));
    if (hasFailed === true) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  }

  async close(): Promise<void> {
    await Promise.race([this.provider.shutdown().catch(() => undefined), delay(patienceMs, undefined, { ref: false })]);
  }
}

function within(parent: SpanIds): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}
