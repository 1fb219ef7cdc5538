export { ContactImportsHttpModule, ContactImportsWorkerModule } from './contact-imports.module.js';
export { contactImportsSchema } from './infrastructure/persistence/schema.js';
