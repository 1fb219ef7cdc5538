export { RequestLogsHttpModule, RequestLogsModule } from './request-logs.module.js';
export { requestLogsSchema } from './infrastructure/persistence/schema.js';
