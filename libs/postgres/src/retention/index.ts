export { maxRemovedRows, Purge, Purges } from './purge.js';
export type { PurgeMoment } from './purge.js';
export { Retention } from './retention.js';
export type { RetentionReport } from './old-days.js';
export { PurgesModule, RetentionModule } from './retention.module.js';
