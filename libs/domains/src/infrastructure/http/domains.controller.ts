import { ApiKeyGuard, CurrentCaller } from '#identity';
import type { Caller } from '#identity';
import { PageRequest, parsePageRequest } from '#kernel';
import { found, idFromPath, listAnswer, ListAnswer } from '#platform/http';
import { Answers, AnswersList, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { CreateDomain } from '../../application/create-domain.use-case.js';
import { DeleteDomain } from '../../application/delete-domain.use-case.js';
import { ReadDomains } from '../../application/read-domains.query.js';
import { UpdateDomain } from '../../application/update-domain.use-case.js';
import { VerifyDomain } from '../../application/verify-domain.use-case.js';
import { domainAnswer, domainSummary } from './domain.answer.js';
import { DomainAnswer, DomainIdAnswer, DomainSummaryAnswer, RemovedDomainAnswer } from './domain.answer-shape.js';
import { CreateDomainRequest, decodeDomainChanges, decodeNewDomain, UpdateDomainRequest } from './domain.request.js';

/** Domains (docs/wire-contract.md section 9.1). */
@Controller('domains')
@UseGuards(ApiKeyGuard)
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
  @HttpCode(201)
  @Takes(CreateDomainRequest)
  @Answers(DomainAnswer, 201)
  async create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const { id } = await this.createDomain.execute(caller.teamId, decodeNewDomain(body));
    return this.answer(caller, id);
  }

  @Get()
  @AnswersList(DomainSummaryAnswer)
  async list(@CurrentCaller() caller: Caller, @Query() query: object): Promise<ListAnswer<object>> {
    return listAnswer(await this.readDomains.list(caller.teamId, givenPage(query)), domainSummary);
  }

  @Get(':id')
  @Answers(DomainAnswer)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return this.answer(caller, idFromPath('id', id));
  }

  @Patch(':id')
  @Takes(UpdateDomainRequest)
  @Answers(DomainIdAnswer)
  async update(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: unknown): Promise<object> {
    const domain = await this.updateDomain.execute(caller.teamId, idFromPath('id', id), decodeDomainChanges(body));
    return { object: 'domain', id: domain.id };
  }

  @Delete(':id')
  @Answers(RemovedDomainAnswer)
  async remove(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    const domainId = idFromPath('id', id);
    await this.deleteDomain.execute(caller.teamId, domainId);
    return { object: 'domain', id: domainId, deleted: true };
  }

  @Post(':id/verify')
  @HttpCode(200)
  @Answers(DomainIdAnswer)
  async verify(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    const domain = await this.verifyDomain.execute(caller.teamId, idFromPath('id', id));
    return { object: 'domain', id: domain.id };
  }

  private async answer(caller: Caller, id: string): Promise<object> {
    const { domain, records } = found('Domain', await this.readDomains.find(caller.teamId, id));
    return domainAnswer(domain, records);
  }
}

/** Without any of the parameters the list is everything (section 1.5). */
function givenPage(query: object): PageRequest | undefined {
  const { limit, after, before } = query as Record<string, unknown>;
  const isGiven = [limit, after, before].some((value) => value !== undefined && value !== '');
  return isGiven ? parsePageRequest({ limit: limit ?? '', after, before }) : undefined;
}
