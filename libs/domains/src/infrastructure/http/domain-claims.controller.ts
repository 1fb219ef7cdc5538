import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, ValidationError } from '#kernel';
import { idFromPath } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { parseNewName, settingsWith, subdomain } from '../../domain/new-domain.js';
import { UnknownRegionError } from '../../domain/domain-errors.js';
import { ClaimDomain } from '../../application/claim-domain.use-case.js';
import { claimedDomainId } from './example-ids.js';
import { claimResponse } from './domain.response-builder.js';
import { ClaimResponse } from './domain.response.js';
import { CreateDomainRequest, decodeNewDomain } from './domain.request.js';

/**
 * Claims of domains. Each path also works with its last word in the plural, as one client writes it
 * (docs/wire-contract.md section 9.1).
 */
@Controller('domains')
@Describes('Domains')
@PathId('id', 'The `domain_id` of the claim.', claimedDomainId)
@UseGuards(PrincipalGuard)
export class DomainClaimsController {
  constructor(private readonly claimDomain: ClaimDomain) {}

  /** Responds 201 for a new claim, 200 for one that was already open. */
  @Post(['claim', 'claims'])
  @Operation(
    'createDomainClaim',
    'Claim a domain',
    'Claims a domain that another team has. Publish the record of the response within seven days, and the ' +
      'domain moves to your team, with the settings of the request. While its owner is using it, the claim ' +
      'waits.',
  )
  @Takes(CreateDomainRequest, 'The domain and its settings.')
  @Responses(ClaimResponse, 'The new claim.', { status: 201 })
  @Responses(ClaimResponse, 'Your team has an open claim of the name already.')
  @Refuses(() => [
    () => parseNewName('not a domain'),
    () => subdomain('custom_return_path', '-'),
    () => settingsWith({ sending: false, receiving: false }, 'send'),
    () => settingsWith({ trackingSubdomain: 'send' }, 'send'),
    new UnknownRegionError(['default']),
    new ValidationError('The acme.example domain is not registered by another team. Create it instead.'),
    new ValidationError('The acme.example domain belongs to your team already.'),
  ])
  @Requires('domains:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClaimResponse> {
    const { claim, isNew } = await this.claimDomain.claim(principal.teamId, decodeNewDomain(body));
    void reply.status(isNew ? 201 : 200);
    return claimResponse(claim);
  }

  @Get([':id/claim', ':id/claims'])
  @Operation(
    'getDomainClaim',
    'Get a claim of a domain',
    'The latest claim that your team has made of a domain, with its status.',
  )
  @Responses(ClaimResponse, 'The claim.')
  @Refuses(() => [new NotFoundError('Domain claim')])
  @Requires('domains:read')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ClaimResponse> {
    return claimResponse(await this.claimDomain.find(principal.teamId, idFromPath('id', id)));
  }

  @Post([':id/claim/verify', ':id/claims/verify'])
  @Operation(
    'verifyDomainClaim',
    'Verify a claim of a domain',
    'Starts a look-up of the record of a claim. Responds at once with the claim unchanged; read it later ' +
      'to learn the outcome.',
  )
  @Responses(ClaimResponse, 'The look-up has started.')
  @Refuses(() => [new NotFoundError('Domain claim')])
  @Requires('domains:write')
  @HttpCode(200)
  async verify(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ClaimResponse> {
    return claimResponse(await this.claimDomain.verify(principal.teamId, idFromPath('id', id)));
  }
}
