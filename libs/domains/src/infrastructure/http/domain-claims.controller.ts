import { PermissionsOf, TeamId } from '#identity';
import { ValidationError } from '#kernel';
import { Describes, Operation, PathId, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
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
@PathId('id', 'The `domain_id` of the claim.', claimedDomainId, 'Domain claim')
@PermissionsOf('domains')
export class DomainClaimsController {
  constructor(private readonly claimDomain: ClaimDomain) {}

  /** Responds 201 for a new claim, 200 for one that was already open. */
  @Post(['claim', 'claims'])
  @Operation(
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
  async createDomainClaim(
    @TeamId() teamId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { claim, isNew } = await this.claimDomain.claim(teamId, decodeNewDomain(body));
    void reply.status(isNew ? 201 : 200);
    return claimResponse(claim);
  }

  @Get([':id/claim', ':id/claims'])
  @Operation('Get a claim of a domain', 'The latest claim that your team has made of a domain, with its status.')
  @Responses(ClaimResponse, 'The claim.')
  async getDomainClaim(@TeamId() teamId: string, @Param('id') id: string) {
    return claimResponse(await this.claimDomain.find(teamId, id));
  }

  @Post([':id/claim/verify', ':id/claims/verify'])
  @Operation(
    'Verify a claim of a domain',
    'Starts a look-up of the record of a claim. Responds at once with the claim unchanged; read it later ' +
      'to learn the outcome.',
  )
  @Responses(ClaimResponse, 'The look-up has started.')
  async verifyDomainClaim(@TeamId() teamId: string, @Param('id') id: string) {
    return claimResponse(await this.claimDomain.verify(teamId, id));
  }
}
