export { Adapters } from './adapters.js';
export { AdaptersModule } from './adapters.module.js';
