export { WebhooksHttpModule, WebhooksWorkerModule } from './webhooks.module.js';
