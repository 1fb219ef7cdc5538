import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { traceIdOf } from '../../libs/emails/src/domain/email.js';
import { anEmail, startRecordingProgram } from '../support/programs/recording-program.js';
import { startProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

/** An OpenTelemetry collector that accepts OTLP over HTTP, as JSON. */
class Collector {
  readonly spans: Span[] = [];
  requests = 0;
  private readonly server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      this.requests++;
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      if (request.url === '/v1/traces')
        this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  of(emailId: string): Span[] {
    return this.spans.filter(({ traceId }) => traceId === traceIdOf(emailId));
  }
}

const attribute = (span: Span | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

describe('the traces', () => {
  const collector = new Collector();
  let endpoint: string;

  beforeAll(async () => (endpoint = await collector.start()));
  afterAll(() => collector.stop());

  it('show an email from its acceptance to its last outcome as one trace, across processes, and link to the caller', async () => {
    const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    const accepting = await startProgram({ ROLES: 'api', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const response = await accepting.request('/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${caller.traceId}-${caller.spanId}-01` },
      body: JSON.stringify(anEmail({ to: ['one@example.test', 'bounced@resend.dev'], subject: 'A secret' })),
    });
    const { id } = (await response.json()) as { id: string };
    await accepting.postrider.stop();
    const delivering = await startRecordingProgram(
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      undefined,
      accepting.database,
    );
    try {
      await until(() => collector.of(id).filter(({ name }) => name === 'deliver').length === 2);
    } finally {
      await delivering.stop();
      await accepting.stop();
    }

    const spans = collector.of(id);
    const named = (name: string): Span[] => spans.filter((span) => span.name === name);
    const [accept] = named('accept');
    expect(spans.map(({ name }) => name).sort()).toEqual(
      ['accept', 'attempt', 'attempt', 'deliver', 'deliver', 'queue', 'queue'].sort(),
    );
    expect(accept?.parentSpanId ?? '').toBe('');
    expect(accept?.links).toMatchObject([caller]);
    expect(attribute(accept, 'email.id')).toBe(id);
    expect(attribute(accept, 'email.door')).toBe('http');
    const outcomes = named('deliver').map((span) => attribute(span, 'delivery.outcome'));
    expect(outcomes.sort()).toEqual(['bounced', 'delivered']);
    for (const deliver of named('deliver')) {
      expect(deliver.parentSpanId).toBe(accept?.spanId);
      const inner = spans.filter(({ parentSpanId }) => parentSpanId === deliver.spanId);
      expect(inner.map(({ name }) => name).sort()).toEqual(['attempt', 'queue']);
      for (const span of inner) {
        expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(deliver.startTimeUnixNano));
        expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(deliver.endTimeUnixNano));
      }
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const text = JSON.stringify(collector.spans);
    for (const secret of ['one@example.test', 'bounced@resend.dev', 'A secret', 're_test'])
      expect(text).not.toContain(secret);
  });

  it('are not sent without a collector, or with a sampling rate of 0', async () => {
    const before = collector.requests;
    const environments: Record<string, string>[] = [
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0' },
    ];
    for (const environment of environments) {
      const program = await startRecordingProgram(environment);
      await program.request('/emails', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(anEmail({ subject: 'untraced' })),
      });
      await until(() => program.delivered('untraced') === 1);
      await program.stop();
    }
    expect(collector.requests).toBe(before);
  });

  it('do not delay mail while the collector is away', async () => {
    const program = await startRecordingProgram({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    await program.request('/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: 'nonsense' },
      body: JSON.stringify(anEmail({ subject: 'anyway' })),
    });
    await until(() => program.delivered('anyway') === 1);
    await program.stop();
  });
});
