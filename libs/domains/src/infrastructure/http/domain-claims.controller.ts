import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { idFromPath } from '#platform/http';
import { Responses, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ClaimDomain } from '../../application/claim-domain.use-case.js';
import { claimResponse } from './domain.response-builder.js';
import { ClaimResponse } from './domain.response.js';
import { CreateDomainRequest, decodeNewDomain } from './domain.request.js';

/**
 * Claims of domains. Each path also works with its last word in the plural, as one client writes it
 * (docs/wire-contract.md section 9.1).
 */
@Controller('domains')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/claims.description.js'))
export class DomainClaimsController {
  constructor(private readonly claimDomain: ClaimDomain) {}

  /** Responds 201 for a new claim, 200 for one that was already open. */
  @Post(['claim', 'claims'])
  @Requires('domains:write')
  @Takes(CreateDomainRequest)
  @Responses(ClaimResponse, 201)
  @Responses(ClaimResponse)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClaimResponse> {
    const { claim, isNew } = await this.claimDomain.execute(principal.teamId, decodeNewDomain(body));
    void reply.status(isNew ? 201 : 200);
    return claimResponse(claim);
  }

  @Get([':id/claim', ':id/claims'])
  @Requires('domains:read')
  @Responses(ClaimResponse)
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ClaimResponse> {
    return claimResponse(await this.claimDomain.find(principal.teamId, idFromPath('id', id)));
  }

  @Post([':id/claim/verify', ':id/claims/verify'])
  @Requires('domains:write')
  @HttpCode(200)
  @Responses(ClaimResponse)
  async verify(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ClaimResponse> {
    return claimResponse(await this.claimDomain.verify(principal.teamId, idFromPath('id', id)));
  }
}
