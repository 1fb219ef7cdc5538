export * from './fields.js';
export * from './operations.js';
export { ApiDocument } from './api-document.js';
export { OpenApiModule } from './open-api.module.js';
export { allRequired, exampleOfShape, momentOf, schemaOfShape, textOf, textOrNull, textsOf } from './webhooks.js';
export type { WebhookDescription } from './webhooks.js';
