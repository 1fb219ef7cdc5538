export { Logger, LoggingModule } from './logger.js';
