import { RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type { IdGenerator } from '@opentelemetry/sdk-trace';

/**
 * Random ids, except for the next span, which gets the ids passed to `next`. The span must be created synchronously
 * after it.
 */
export class GivenIds implements IdGenerator {
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
