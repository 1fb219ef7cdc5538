import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { withoutTrailing } from '#kernel';
import {
  Attributes,
  Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyInstance } from 'fastify';
import { AcceptedEmailTrace, AttemptTrace, EmailTracing } from './email-tracing.js';
import { GivenIds } from './given-ids.js';
import { acceptanceSpanId, recipientSpanId, traceIdOf } from './trace-ids.js';
import { ParentTrace, parseTraceparent } from './traceparent.js';

interface RequestTrace {
  readonly startedAt: number;
  readonly parent: ParentTrace | undefined;
}

/** Spans that wait for the collector. While it is away, what comes beyond is dropped: mail does not wait for traces. */
const maxWaiting = 20_000;
const exportEveryMs = 1_000;
/** For one export with its repetitions, and for the last one at a stop. */
const patienceMs = 3_000;

/** Loaded only where a collector is configured. */
export class OtlpEmailTracing extends EmailTracing {
  private readonly requests = new AsyncLocalStorage<RequestTrace>();
  private readonly ids = new GivenIds();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  /** @param share of all emails that are traced, 0 to 1; decided by the id, so for an email as a whole. */
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
        new BatchSpanProcessor({ exporter, maxQueueSize: maxWaiting, scheduledDelayMillis: exportEveryMs }),
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

  accepted(emails: readonly AcceptedEmailTrace[]): void {
    const request = this.requests.getStore();
    for (const { emailId, door, recipients, size, createdAt } of emails) {
      this.ids.next(traceIdOf(emailId), acceptanceSpanId(emailId));
      this.tracer
        .startSpan(
          'accept',
          {
            kind: SpanKind.SERVER,
            startTime: request?.startedAt ?? createdAt,
            attributes: { 'email.id': emailId, 'email.door': door, 'email.recipients': recipients, 'email.size': size },
            links: request?.parent === undefined ? [] : [{ context: request.parent }],
          },
          ROOT_CONTEXT,
        )
        .end();
    }
  }

  attempted(attempts: readonly AttemptTrace[]): void {
    for (const attempt of attempts) this.trace(attempt);
  }

  async close(): Promise<void> {
    await Promise.race([this.provider.shutdown().catch(() => undefined), delay(patienceMs, undefined, { ref: false })]);
  }

  private trace(attempt: AttemptTrace): void {
    const { emailId, recipientNo, queuedAt, startedAt, outcome } = attempt;
    const endedAt = new Date(startedAt.getTime() + attempt.durationMs);
    const recipient = within(emailId, recipientSpanId(emailId, recipientNo));
    if (attempt.attempt === 1) this.span('queue', recipient, queuedAt, startedAt, {});
    this.span('attempt', recipient, startedAt, endedAt, attributesOf(attempt), outcome !== 'delivered');
    if (!attempt.isFinal) return;
    this.ids.next(traceIdOf(emailId), recipientSpanId(emailId, recipientNo));
    const attributes = { 'email.id': emailId, 'email.recipient': recipientNo, 'delivery.outcome': outcome };
    const email = within(emailId, acceptanceSpanId(emailId));
    this.span('deliver', email, queuedAt, endedAt, attributes, outcome !== 'delivered');
  }

  private span(
    name: string,
    parent: Context,
    startTime: Date,
    end: Date,
    attributes: Attributes,
    failed = false,
  ): void {
    const span = this.tracer.startSpan(name, { startTime, attributes, kind: SpanKind.INTERNAL }, parent);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }
}

function within(emailId: string, spanId: string): Context {
  const parent = { traceId: traceIdOf(emailId), spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

function attributesOf({ attempt, outcome, host, replyCode, category }: AttemptTrace): Attributes {
  return {
    'delivery.attempt': attempt,
    'delivery.outcome': outcome,
    'server.address': host,
    'smtp.reply_code': replyCode,
    'delivery.category': category,
  };
}
