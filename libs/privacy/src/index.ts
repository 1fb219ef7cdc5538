export { PrivacyHttpModule, PrivacyWorkerModule } from './privacy.module.js';
export { privacySchema } from './infrastructure/persistence/schema.js';
