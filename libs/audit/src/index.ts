export { AuditTrail } from './application/audit-trail.js';
export { AuditLog } from './application/ports/audit-log.port.js';
export type { AuditActor, AuditEntry } from './domain/audit-entry.js';
export { AuditEntryResponse, auditEntryResponse } from './infrastructure/http/audit.response.js';
export { auditSchema } from './infrastructure/persistence/schema.js';
export { AuditHttpModule, AuditModule, AuditWorkerModule } from './audit.module.js';
