export { Logger } from './logger.js';
export { LoggingModule } from './logging.module.js';
