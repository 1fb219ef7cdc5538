export { maxRemovedRows, Purge, Purges } from './purge.js';
export type { PurgeMoment } from './purge.js';
export { Retention, PurgesModule, RetentionModule } from './retention.js';
export type { RetentionReport } from './old-days.js';
