export { newSigningSecret, signatureHeaders } from './application/standard-webhooks.js';
export { callableUrl, EndpointRules, parseEndpoint } from './domain/endpoint-url.js';
export { maxTries, nextTryAt } from './domain/failures.js';
export { EndpointRulesModule, WebhooksHttpModule, WebhooksWorkerModule } from './webhooks.module.js';
export { webhooksSchema } from './infrastructure/persistence/schema.js';
