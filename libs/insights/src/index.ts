export { InsightsHttpModule, InsightsWorkerModule } from './insights.module.js';
