export { WebhooksHttpModule, WebhooksWorkerModule } from './webhooks.module.js';
export { webhooksSchema } from './infrastructure/persistence/schema.js';
