import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { PageRequest, parsePageRequest } from '#kernel';
import { found, idFromPath, listResponse, ListResponse } from '#platform/http';
import { Responses, ResponsesAll, ResponsesList, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { CreateDomain } from '../../application/create-domain.use-case.js';
import { DeleteDomain } from '../../application/delete-domain.use-case.js';
import { ReadDomains } from '../../application/read-domains.query.js';
import { UpdateDomain } from '../../application/update-domain.use-case.js';
import { VerifyDomain } from '../../application/verify-domain.use-case.js';
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
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/domains.description.js'))
export class DomainsController {
  constructor(
    private readonly createDomain: CreateDomain,
    private readonly readDomains: ReadDomains,
    private readonly updateDomain: UpdateDomain,
    private readonly deleteDomain: DeleteDomain,
    private readonly verifyDomain: VerifyDomain,
  ) {}

  @Post()
  @Requires('domains:write')
  @HttpCode(201)
  @Takes(CreateDomainRequest)
  @Responses(DomainResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<DomainResponse> {
    const { id } = await this.createDomain.execute(principal.teamId, decodeNewDomain(body));
    return this.responseFor(principal, id);
  }

  @Get()
  @Requires('domains:read')
  @ResponsesList(DomainSummaryResponse)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: object,
  ): Promise<ListResponse<DomainSummaryResponse>> {
    return listResponse(await this.readDomains.list(principal.teamId, givenPage(query)), domainSummary);
  }

  /** An addition of Postrider: what `region` of a new domain may be. */
  @Get('regions')
  @Requires('domains:read')
  @ResponsesAll(RegionResponse)
  async regions(): Promise<ListResponse<RegionResponse>> {
    const items = this.readDomains.regions();
    return listResponse({ items, hasMore: false }, (region) => ({ ...region, is_default: region === items[0] }));
  }

  @Get(':id')
  @Requires('domains:read')
  @Responses(DomainResponse)
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DomainResponse> {
    return this.responseFor(principal, idFromPath('id', id));
  }

  @Patch(':id')
  @Requires('domains:write')
  @Takes(UpdateDomainRequest)
  @Responses(DomainIdResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<DomainIdResponse> {
    const domain = await this.updateDomain.execute(principal.teamId, idFromPath('id', id), decodeDomainChanges(body));
    return { object: 'domain', id: domain.id };
  }

  @Delete(':id')
  @Requires('domains:write')
  @Responses(RemovedDomainResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedDomainResponse> {
    const domainId = idFromPath('id', id);
    await this.deleteDomain.execute(principal.teamId, domainId);
    return { object: 'domain', id: domainId, deleted: true };
  }

  @Post(':id/verify')
  @Requires('domains:write')
  @HttpCode(200)
  @Responses(DomainIdResponse)
  async verify(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DomainIdResponse> {
    const domain = await this.verifyDomain.execute(principal.teamId, idFromPath('id', id));
    return { object: 'domain', id: domain.id };
  }

  private async responseFor(principal: Principal, id: string): Promise<DomainResponse> {
    const { domain, records } = found('Domain', await this.readDomains.find(principal.teamId, id));
    return domainResponse(domain, records);
  }
}

/** The requested page. Undefined where the request has no page parameters: the list is then complete (section 1.5). */
function givenPage(query: object): PageRequest | undefined {
  const { limit, after, before } = query as Record<string, unknown>;
  const isGiven = [limit, after, before].some((value) => value !== undefined && value !== '');
  return isGiven ? parsePageRequest({ limit: limit ?? '', after, before }) : undefined;
}
