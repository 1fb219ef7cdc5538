export { reportsSchema } from './infrastructure/persistence/schema.js';
export { ReportsHttpModule, ReportsModule, ReportsWorkerModule } from './reports.module.js';
