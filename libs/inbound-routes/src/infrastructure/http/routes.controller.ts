import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ExplainRoute } from '../../application/explain-route.query.js';
import { ManageRoutes } from '../../application/manage-routes.use-case.js';
import {
  CreateRouteRequest,
  decodeExplanation,
  decodeNewRoute,
  decodeRouteChanges,
  ExplainRouteRequest,
  UpdateRouteRequest,
} from './route.request.js';
import {
  explanationResponse,
  RemovedRouteResponse,
  RouteExplanationResponse,
  RouteResponse,
  RouteSummaryResponse,
  routeSummary,
} from './route.response.js';

/** Additions of Postrider: what happens to mail for the domains of a team. */
@Controller('routes')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/routes.description.js'))
export class RoutesController {
  constructor(
    private readonly routes: ManageRoutes,
    private readonly explainRoute: ExplainRoute,
  ) {}

  @Post()
  @Requires('routes:write')
  @Takes(CreateRouteRequest)
  @Responses(RouteResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<RouteResponse> {
    return { object: 'route', ...routeSummary(await this.routes.add(principal, decodeNewRoute(body))) };
  }

  @Post('explain')
  @Audited({ notBecause: 'it only says what would happen' })
  @Requires('routes:read')
  @HttpCode(200)
  @Takes(ExplainRouteRequest)
  @Responses(RouteExplanationResponse)
  async explain(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<RouteExplanationResponse> {
    const { address, header } = decodeExplanation(body);
    return explanationResponse(await this.explainRoute.execute(teamId, address, header));
  }

  @Get()
  @Requires('routes:read')
  @ResponsesList(RouteSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown },
  ): Promise<ListResponse<RouteSummaryResponse>> {
    return listResponse(await this.routes.list(teamId, parsePageRequest(query)), routeSummary);
  }

  @Get(':id')
  @Requires('routes:read')
  @Responses(RouteResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<RouteResponse> {
    return { object: 'route', ...routeSummary(await this.routes.find(teamId, idFromPath('id', id))) };
  }

  @Patch(':id')
  @Requires('routes:write')
  @Takes(UpdateRouteRequest)
  @Responses(RouteResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<RouteResponse> {
    const routeId = idFromPath('id', id);
    return {
      object: 'route',
      ...routeSummary(await this.routes.change(principal, routeId, decodeRouteChanges(body))),
    };
  }

  @Delete(':id')
  @Requires('routes:write')
  @Responses(RemovedRouteResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedRouteResponse> {
    const routeId = idFromPath('id', id);
    await this.routes.remove(principal, routeId);
    return { object: 'route', id: routeId, deleted: true };
  }
}
