import { ChangeRecorder, IdentityModule } from '#identity';
import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './application/audit-trail.js';
import { AuditLog } from './application/ports/audit-log.port.js';
import { AuditController } from './infrastructure/http/audit.controller.js';
import { AuditRecorder } from './infrastructure/http/audit-recorder.js';
import { Readers } from './infrastructure/http/readers.js';
import { AuditData, AuditPurge, PostgresAuditLog } from './infrastructure/persistence/postgres-audit-log.js';

/** Who changed what, and when. */
@Module({
  providers: [{ provide: AuditLog, useClass: PostgresAuditLog }, AuditTrail, AuditData],
  exports: [AuditLog, AuditTrail],
})
export class AuditModule {}

/** Records all changes over HTTP, and lists them. */
// oxlint-disable-next-line house/global-module -- provides the `ChangeRecorder` of `PrincipalGuard`
@Global()
@Module({
  imports: [AuditModule, IdentityModule],
  providers: [Readers, { provide: ChangeRecorder, useClass: AuditRecorder }],
  exports: [ChangeRecorder],
  controllers: [AuditController],
})
export class AuditHttpModule {}

@Module({ providers: [AuditPurge] })
export class AuditWorkerModule {}
