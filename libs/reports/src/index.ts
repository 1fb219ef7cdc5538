export { ReceiveReport } from './application/receive-report.use-case.js';
export type { ReportMessage } from './application/receive-report.use-case.js';
export { reportsSchema } from './infrastructure/persistence/schema.js';
export { ReportsHttpModule, ReportsModule, ReportsWorkerModule } from './reports.module.js';
