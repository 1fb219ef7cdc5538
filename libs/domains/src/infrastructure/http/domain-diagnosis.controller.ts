import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { found, idFromPath, listResponse, ListResponse } from '#platform/http';
import { Responses, ResponsesAll, DescribedBy } from '#platform/openapi';
import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ReadDomains } from '../../application/read-domains.query.js';
import { RotateDkimKeys } from '../../application/rotate-dkim-keys.use-case.js';
import { diagnosisResponse, keyResponse } from './domain.response-builder.js';
import { DiagnosisResponse, DkimKeyResponse } from './domain.response.js';

/** Additions of Postrider: advice on records, and the keys of a domain. */
@Controller('domains/:id')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/diagnosis.description.js'))
export class DomainDiagnosisController {
  constructor(
    private readonly readDomains: ReadDomains,
    private readonly rotateDkimKeys: RotateDkimKeys,
  ) {}

  @Get('diagnosis')
  @Requires('domains:read')
  @Responses(DiagnosisResponse)
  async diagnosis(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DiagnosisResponse> {
    const { domain, records } = found(
      'Domain',
      await this.readDomains.diagnose(principal.teamId, idFromPath('id', id)),
    );
    return diagnosisResponse(domain, records);
  }

  @Get('dkim')
  @Requires('domains:read')
  @ResponsesAll(DkimKeyResponse)
  keys(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ListResponse<DkimKeyResponse>> {
    return this.keyList(principal, idFromPath('id', id));
  }

  /** Begins a rotation where none is under way, and responds with the keys. */
  @Post('dkim/rotate')
  @Requires('domains:write')
  @HttpCode(200)
  @ResponsesAll(DkimKeyResponse)
  async rotate(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<ListResponse<DkimKeyResponse>> {
    const { id: domainId } = await this.rotateDkimKeys.execute(principal.teamId, idFromPath('id', id));
    return this.keyList(principal, domainId);
  }

  private async keyList(principal: Principal, id: string): Promise<ListResponse<DkimKeyResponse>> {
    const keys = found('Domain', await this.readDomains.keys(principal.teamId, id));
    return listResponse({ items: keys, hasMore: false }, keyResponse);
  }
}
