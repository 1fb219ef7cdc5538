export { Adapters, AdaptersModule } from './adapters.js';
