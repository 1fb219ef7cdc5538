import { PermissionsOf, TeamId } from '#identity';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses } from '#http/openapi';
import { defaultDays, maxDays, parseDays } from '#reports';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { DomainInsights } from '../../application/domain-insights.query.js';
import { DomainInsightsResponse, domainInsightsResponse } from './domain-insights.response.js';
import { exampleId } from './example-ids.js';

/** An addition of Postrider: what became of the mail of a domain. */
@Controller('domains/:id/insights')
@Describes('Domains')
@PathId('id', 'Id of the domain.', exampleId, 'Domain')
@PermissionsOf('metrics')
export class DomainInsightsController {
  constructor(private readonly insights: DomainInsights) {}

  @Get()
  @Operation(
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
  @Refuses(() => [() => parseDays('0')])
  async getDomainInsights(@TeamId() teamId: string, @Param('id') id: string, @Query('days') days: unknown) {
    return domainInsightsResponse(await this.insights.of(teamId, id, parseDays(days)));
  }
}
