import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, ListResponse } from '#platform/http';
import { DescribedBy, ResponsesList } from '#platform/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ListAudit } from '../../application/list-audit.query.js';
import { auditEntryResponse } from './audit-entry-response.js';
import { AuditEntryResponse } from './audit.response.js';

@Controller('audit')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/audit.description.js'))
export class AuditController {
  constructor(private readonly audit: ListAudit) {}

  @Get()
  @Requires('audit:read')
  @ResponsesList(AuditEntryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<AuditEntryResponse>> {
    return listResponse(await this.audit.ofTeam(teamId, parsePageRequest(query)), auditEntryResponse);
  }
}
