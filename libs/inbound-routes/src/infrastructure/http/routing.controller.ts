import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { DescribedBy, IdOrNull, Moment, OneOf, ResponsesAll, Text, TextOrNull } from '#platform/openapi';
import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { RouteResult } from '../../application/ports/route-results.port.js';
import { ReadRouting } from '../../application/read-routing.query.js';

export class RoutingResultResponse {
  @IdOrNull() route_id!: string | null;
  @OneOf('webhook', 'forward', 'smtp', 'lmtp') action!: RouteResult['action'];
  @Text() target!: string;
  @OneOf('done', 'refused', 'loop', 'not_possible') outcome!: RouteResult['outcome'];
  @TextOrNull() detail!: string | null;
  @IdOrNull() email_id!: string | null;
  @Moment() created_at!: string;
}

/** Addition of Postrider: what the routes did for a received email. */
@Controller('emails/receiving/:id')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/routing.description.js'))
export class RoutingController {
  constructor(private readonly readRouting: ReadRouting) {}

  @Get('routing')
  @Requires('emails:read')
  @ResponsesAll(RoutingResultResponse)
  async routing(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
  ): Promise<ListResponse<RoutingResultResponse>> {
    const results = await this.readRouting.execute(teamId, idFromPath('id', id));
    return listResponse({ items: results, hasMore: false }, routingResult);
  }
}

function routingResult(result: RouteResult): RoutingResultResponse {
  return {
    route_id: result.routeId,
    action: result.action,
    target: result.target,
    outcome: result.outcome,
    detail: result.detail,
    email_id: result.emailId,
    created_at: timestamp(result.createdAt),
  };
}
