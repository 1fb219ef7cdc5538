import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { PageRequest, parsePageRequest } from '#kernel';
import { found, listResponse, toResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  Refuses,
  Responses,
  ResponsesAll,
  ResponsesWholeList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { parseNewName, settingsWith, subdomain } from '../../domain/new-domain.js';
import { DomainBusyError, DomainTakenError, UnknownRegionError } from '../../domain/domain-errors.js';
import { ClaimDomain } from '../../application/claim-domain.use-case.js';
import { ChangeDomain } from '../../application/change-domain.use-case.js';
import { CreateDomain } from '../../application/create-domain.use-case.js';
import { ReadDomains } from '../../application/read-domains.query.js';
import { TrackingCertificates } from '../../application/ports/service-names.port.js';
import { domainId } from './example-ids.js';
import { domainEvents } from './domain-events.js';
import { domainResponse, domainSummary } from './domain.response-builder.js';
import {
  DomainResponse,
  DomainIdResponse,
  DomainSummaryResponse,
  RegionResponse,
  RemovedDomainResponse,
} from './domain.response.js';
import { CreateDomainRequest, decodeDomainChanges, decodeNewDomain, UpdateDomainRequest } from './domain.request.js';

/** Domains (docs/wire-contract.md section 9.1). */
@Controller('domains')
@Describes(
  'Domains',
  'The domains from which you send: their DNS records and verification, DKIM keys, and claims of ' +
    'domains that another team has.',
  domainEvents,
)
@PathId('id', 'Id of the domain.', domainId, 'Domain')
@PermissionsOf('domains')
export class DomainsController {
  constructor(
    private readonly newDomains: CreateDomain,
    private readonly readDomains: ReadDomains,
    private readonly changeDomain: ChangeDomain,
    private readonly claimDomain: ClaimDomain,
    private readonly certificates: TrackingCertificates,
  ) {}

  @Post()
  @Operation(
    'Create a domain',
    'Registers a domain for your team and returns the DNS records to publish. A name belongs to one team; ' +
      'a subdomain is a separate domain. Publish the records, then verify the domain.',
  )
  @Takes(CreateDomainRequest, 'The domain and its settings.', {
    examples: {
      name: { summary: 'A domain with default settings', value: { name: 'acme.example' } },
      settings: {
        summary: 'A domain with settings',
        value: {
          name: 'mail.acme.example',
          custom_return_path: 'bounces',
          open_tracking: true,
          click_tracking: true,
          tracking_subdomain: 'links',
          tls: 'enforced',
          dkim: 'cname',
          capabilities: { sending: 'enabled', receiving: 'disabled' },
        },
      },
    },
  })
  @Responses(DomainResponse, 'The domain and its records.', { status: 201 })
  @Refuses(() => [
    () => parseNewName('not a domain'),
    () => subdomain('custom_return_path', '-'),
    () => settingsWith({ sending: false, receiving: false }, 'send'),
    () => settingsWith({ trackingSubdomain: 'send' }, 'send'),
    new UnknownRegionError(['default']),
    new DomainTakenError('acme.example'),
  ])
  async createDomain(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { id } = await this.newDomains.create(principal.teamId, decodeNewDomain(body));
    return this.responseFor(principal, id);
  }

  @Get()
  @Operation('List domains', 'The domains of your team without their records, newest first.')
  @ResponsesWholeList(DomainSummaryResponse, 'The domains.')
  async listDomains(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.readDomains.list(teamId, givenPage(query)), domainSummary);
  }

  /** An addition of Postrider: what `region` of a new domain may be. */
  @Get('regions')
  @Operation(
    'List regions',
    'The regions of this server, one of which a new domain may name as its `region`. The first one is the ' +
      'default. An addition of Postrider.',
  )
  @ResponsesAll(RegionResponse, 'The regions.', {
    example: [{}, { name: 'eu-west-1', host: 'eu.mail.service.example', is_default: false }],
  })
  async listRegions() {
    const items = this.readDomains.regions();
    return listResponse({ items, hasMore: false }, (region) => ({ ...region, is_default: region === items[0] }));
  }

  @Get(':id')
  @Operation(
    'Get a domain',
    'One domain with its records and their status. While a claim is open, its `domain_id` is that of a domain without records.',
  )
  @Responses(DomainResponse, 'The domain.')
  getDomain(@CurrentPrincipal() principal: Principal, @Param('id') id: string) {
    return this.responseFor(principal, id);
  }

  @Patch(':id')
  @Operation(
    'Change a domain',
    'Changes the settings of a domain; absent fields stay unchanged. Where verification has begun, ' +
      'records that the change adds are checked at once.',
  )
  @Takes(UpdateDomainRequest, 'The settings to change.')
  @Responses(DomainIdResponse, 'The domain is changed.')
  @Refuses(() => [
    () => decodeDomainChanges({ tls: 'always' }),
    () => decodeDomainChanges({ capabilities: { sending: 'yes' } }),
    new UnknownRegionError(['us-east-1', 'eu-west-1']),
    new DomainBusyError(),
  ])
  async updateDomain(@TeamId() teamId: string, @Param('id') id: string, @Body() body: unknown) {
    const domain = await this.changeDomain.update(teamId, id, decodeDomainChanges(body));
    return toResponse(DomainIdResponse, { id: domain.id });
  }

  @Delete(':id')
  @Operation(
    'Delete a domain',
    'Deletes a domain and its keys. Afterwards every team can register its name. With the `domain_id` of an ' +
      'open claim, the claim is withdrawn.',
  )
  @Responses(RemovedDomainResponse, 'The domain is deleted.')
  async deleteDomain(@TeamId() teamId: string, @Param('id') domainId: string) {
    if (!(await this.claimDomain.withdraw(teamId, domainId))) {
      await this.changeDomain.delete(teamId, domainId);
    }
    return toResponse(RemovedDomainResponse, { id: domainId });
  }

  @Post(':id/verify')
  @Operation(
    'Verify a domain',
    'Starts a check of the records of a domain, and waits again for records that had failed. Responds at ' +
      'once; read the domain later, or listen for `domain.updated`, to learn the outcome.',
  )
  @Responses(DomainIdResponse, 'The check has started.')
  @Refuses(() => [new DomainBusyError()])
  async verifyDomain(@TeamId() teamId: string, @Param('id') id: string) {
    const domain = await this.changeDomain.verify(teamId, id);
    return toResponse(DomainIdResponse, { id: domain.id });
  }

  private async responseFor(principal: Principal, id: string): Promise<DomainResponse> {
    const known = await this.readDomains.find(principal.teamId, id);
    if (known !== undefined) {
      return domainResponse(known.domain, known.records, await this.certificates.findFor(id));
    }
    return domainResponse(found('Domain', await this.claimDomain.placeholder(principal.teamId, id)), []);
  }
}

/** The requested page. Returns undefined if the request has no page parameters: the list is then complete (section 1.5). */
function givenPage(query: object): PageRequest | undefined {
  const { limit, after, before } = query as Record<string, unknown>;
  const isGiven = [limit, after, before].some((value) => value !== undefined && value !== '');
  return isGiven ? parsePageRequest({ limit: limit ?? '', after, before }) : undefined;
}
