export { NoticesModule, NoticesWorkerModule } from './notices.module.js';
export { noticesSchema } from './infrastructure/persistence/schema.js';
