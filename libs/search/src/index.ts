export { SearchHttpModule } from './search.module.js';
