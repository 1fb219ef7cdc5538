export { EmailTracing } from './email-tracing.js';
export type { AcceptedEmailTrace, AttemptTrace } from './email-tracing.js';
export { TracingModule } from './tracing.module.js';
