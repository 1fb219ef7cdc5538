import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { ApiQuery, DescribedBy, Responses } from '#platform/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { EmailBreakdowns } from '../../application/ports/email-breakdowns.port.js';
import { breakdownKeys, defaultBreakdownKey, parseBreakdownKey } from '../../domain/email-breakdown.js';
import { parseEmailFilter } from '../../domain/email-filter.js';
import { BreakdownResponse, breakdownResponse } from './breakdown.response.js';

@Controller('emails/breakdown')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/breakdown.description.js'))
export class BreakdownController {
  constructor(private readonly breakdowns: EmailBreakdowns) {}

  @Get()
  @Requires('metrics:read')
  @ApiQuery({
    name: 'by',
    required: false,
    schema: { type: 'string', enum: [...breakdownKeys], default: defaultBreakdownKey },
  })
  @ApiQuery({
    name: 'domain_id',
    required: false,
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
  })
  @ApiQuery({ name: 'created_after', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'created_before', required: false, schema: { type: 'string' } })
  @Responses(BreakdownResponse)
  async breakdown(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<BreakdownResponse> {
    const by = parseBreakdownKey(query.by);
    const { domain_id, created_after, created_before } = query;
    const filter = parseEmailFilter({ domain_id, created_after, created_before }) ?? {};
    return breakdownResponse(by, await this.breakdowns.count(teamId, by, filter));
  }
}
