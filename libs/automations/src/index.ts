export { AutomationsHttpModule, AutomationsPrivacyModule, AutomationsWorkerModule } from './automations.module.js';
export { automationsSchema } from './infrastructure/persistence/schema.js';
