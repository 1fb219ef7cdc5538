export { InsightsHttpModule, InsightsWorkerModule } from './insights.module.js';
export { insightsSchema } from './infrastructure/persistence/schema.js';
