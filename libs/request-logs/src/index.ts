export { RequestLogsHttpModule } from './request-logs.module.js';
