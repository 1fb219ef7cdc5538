export { ReadProviderReports } from './application/read-provider-reports.query.js';
export type { GoogleReport, SndsAddress } from './application/read-provider-reports.query.js';
export type { ImportState } from './application/ports/provider-reports.port.js';
export { delayReasons, rejectReasons } from './domain/google-day.js';
export type { GoogleDay, GoogleShare } from './domain/google-day.js';
export { sndsFilters } from './domain/snds-report.js';
export { providerReportsSchema } from './infrastructure/persistence/schema.js';
export { ProviderReportsModule, ProviderReportsWorkerModule } from './provider-reports.module.js';
