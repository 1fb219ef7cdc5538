import { PermissionsOf, TeamId } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse } from '#http/server';
import { Describes, Operation, ResponsesList } from '#http/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { AuditLog } from '../../application/ports/audit-log.port.js';
import { AuditEntryResponse, auditEntryResponse } from './audit.response.js';

@Controller('audit')
@Describes(
  'Audit log',
  'Who changed what in your team, and when. Sent emails are not listed here: they name their actor themselves.',
)
@PermissionsOf('audit')
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @Operation('List changes', 'Every change that was made in your team through the API or the dashboard, newest first.')
  @ResponsesList(AuditEntryResponse, 'A page of changes.')
  async listAudit(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.audit.ofTeam(teamId, parsePageRequest(query)), auditEntryResponse);
  }
}
