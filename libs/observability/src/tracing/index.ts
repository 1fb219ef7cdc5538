export { Tracing } from './tracing.js';
export type { FinishedSpan, SpanAttributes, SpanIds } from './tracing.js';
export { TracingModule } from './tracing.module.js';
