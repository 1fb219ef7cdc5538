import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, ListResponse } from '#http/server';
import { Describes, Operation, ResponsesList } from '#http/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { AuditLog } from '../../application/ports/audit-log.port.js';
import { auditEntryResponse } from './audit-entry-response.js';
import { AuditEntryResponse } from './audit.response.js';

@Controller('audit')
@Describes(
  'Audit log',
  'Who changed what in your team, and when. Sent emails are not listed here: they name their actor themselves.',
)
@UseGuards(PrincipalGuard)
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @Operation(
    'listAudit',
    'List changes',
    'Every change that was made in your team through the API or the dashboard, newest first.',
  )
  @ResponsesList(AuditEntryResponse, 'A page of changes.')
  @Requires('audit:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<AuditEntryResponse>> {
    return listResponse(await this.audit.ofTeam(teamId, parsePageRequest(query)), auditEntryResponse);
  }
}
