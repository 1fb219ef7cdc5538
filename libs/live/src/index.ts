export { LiveHttpModule } from './live.module.js';
export { liveSchema } from './infrastructure/persistence/schema.js';
