export { ReadProviderReports } from './application/read-provider-reports.query.js';
export type { GoogleReport, SndsAddress } from './application/read-provider-reports.query.js';
export type { ImportState } from './application/ports/provider-reports.port.js';
export {
  delayReasons,
  rejectReasons,
  type GoogleDay,
  type GoogleShare,
  sndsFilters,
} from './domain/provider-report.js';
export { providerReportsSchema } from './infrastructure/persistence/schema.js';
export { ProviderReportsModule, ProviderReportsWorkerModule } from './provider-reports.module.js';
