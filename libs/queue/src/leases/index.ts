export { LeasedWork } from './leased-work.js';
export type { LeasedWorkOptions } from './leased-work.js';
export { WorkHost } from './work-host.js';
export { WorkModule } from './work.module.js';
