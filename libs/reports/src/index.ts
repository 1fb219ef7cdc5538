export { ReportSummaries, type ReportSummary } from './application/domain-reports.query.js';
export { defaultDays, lastDays, maxDays, parseDays } from './domain/report.js';
export { reportsSchema } from './infrastructure/persistence/schema.js';
export { ReportsHttpModule, ReportsModule, ReportsWorkerModule } from './reports.module.js';
