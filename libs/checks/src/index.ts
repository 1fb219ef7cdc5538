export { ChecksHttpModule } from './checks.module.js';
