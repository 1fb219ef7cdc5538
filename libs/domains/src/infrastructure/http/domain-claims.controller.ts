import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { idFromPath } from '#platform/http';
import { Answers, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ClaimDomain } from '../../application/claim-domain.use-case.js';
import { claimAnswer } from './domain.answer.js';
import { ClaimAnswer } from './domain.answer-shape.js';
import { CreateDomainRequest, decodeNewDomain } from './domain.request.js';

/**
 * Claims, under the paths of all clients: one of them writes the last word in the plural (docs/wire-contract.md section
 * 9.1).
 */
@Controller('domains')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/claims.description.js'))
export class DomainClaimsController {
  constructor(private readonly claimDomain: ClaimDomain) {}

  /** 201 for a new claim, 200 for one that was open already. */
  @Post(['claim', 'claims'])
  @Requires('domains:write')
  @Takes(CreateDomainRequest)
  @Answers(ClaimAnswer, 201)
  @Answers(ClaimAnswer)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { claim, isNew } = await this.claimDomain.execute(principal.teamId, decodeNewDomain(body));
    void reply.status(isNew ? 201 : 200);
    return claimAnswer(claim);
  }

  @Get([':id/claim', ':id/claims'])
  @Requires('domains:read')
  @Answers(ClaimAnswer)
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return claimAnswer(await this.claimDomain.find(principal.teamId, idFromPath('id', id)));
  }

  @Post([':id/claim/verify', ':id/claims/verify'])
  @Requires('domains:write')
  @HttpCode(200)
  @Answers(ClaimAnswer)
  async verify(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return claimAnswer(await this.claimDomain.verify(principal.teamId, idFromPath('id', id)));
  }
}
