import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { idFromPath } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses } from '#http/openapi';
import { NotFoundError } from '#kernel';
import { defaultDays, maxDays, parseDays } from '#reports';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { DomainInsights } from '../../application/domain-insights.query.js';
import { DomainInsightsResponse, domainInsightsResponse } from './domain-insights.response.js';
import { exampleId } from './example-ids.js';

/** An addition of Postrider: what became of the mail of a domain. */
@Controller('domains/:id/insights')
@Describes('Domains')
@PathId('id', 'Id of the domain.', exampleId)
@UseGuards(PrincipalGuard)
export class DomainInsightsController {
  constructor(private readonly insights: DomainInsights) {}

  @Get()
  @Operation(
    'getDomainInsights',
    'See what became of the mail of a domain',
    'By mailbox provider and day: what was delivered, deferred and refused, with the replies and what they mean, rates ' +
      'beside the thresholds that providers publish, encryption, times to deliver, opens by people and unsubscribes. ' +
      'Providers are told apart by their mail hosts. Counts follow events within seconds, and are kept for 400 days. ' +
      'Mail to test addresses does not count. An addition of Postrider.',
  )
  @QueryParameter(
    'days',
    'Number of days, today included, from 1 to 90.',
    { type: 'integer', minimum: 1, maximum: maxDays, default: defaultDays },
    30,
  )
  @Responses(DomainInsightsResponse, 'What became of the mail.')
  @Refuses(() => [() => parseDays('0'), new NotFoundError('Domain')])
  @Requires('metrics:read')
  async of(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query('days') days: unknown,
  ): Promise<DomainInsightsResponse> {
    return domainInsightsResponse(await this.insights.of(teamId, idFromPath('id', id), parseDays(days)));
  }
}
