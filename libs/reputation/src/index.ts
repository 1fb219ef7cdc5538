export { PaceModule, ReputationHttpModule, ReputationModule, ReputationWorkerModule } from './reputation.module.js';
export { reputationSchema } from './infrastructure/persistence/schema.js';
