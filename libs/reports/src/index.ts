export { ReportSummaries } from './application/report-summaries.query.js';
export type { ReportSummary } from './application/report-summaries.query.js';
export { defaultDays, lastDays, maxDays, parseDays } from './domain/report-period.js';
export { reportsSchema } from './infrastructure/persistence/schema.js';
export { ReportsHttpModule, ReportsModule, ReportsWorkerModule } from './reports.module.js';
