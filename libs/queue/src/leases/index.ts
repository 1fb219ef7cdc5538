export { LeasedWork, type LeasedWorkOptions, WorkHost, WorkModule } from './leased-work.js';
