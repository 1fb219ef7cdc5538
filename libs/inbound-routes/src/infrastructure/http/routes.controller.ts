import { Audited, changesNothing, CurrentPrincipal, PassesOn, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { maxRoutes } from '../../domain/route.js';
import { checkCombination, parseAction } from '../../domain/new-route.js';
import { CannotForwardError } from '../../application/forwarding-domains.js';
import { ExplainRoute } from '../../application/explain-route.query.js';
import { Routes, TooManyRoutesError } from '../../application/routes.use-case.js';
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
  routeId,
  RouteResponse,
  routeSummary,
  RouteSummaryResponse,
} from './route.response.js';

const invalidPattern = (): unknown => decodeNewRoute({ recipient: 'acme.example', action: { type: 'drop' } });

const conditionalReject = (): unknown =>
  checkCombination([{ header: 'subject', test: 'contains', value: 'x', not: false }], { type: 'reject', text: 'No' });

/** Additions of Postrider: what happens to mail for the domains of a team. */
@Controller('routes')
@Describes(
  'Routes',
  'What happens to mail for your receiving domains: announce it, forward it, hand it to a host of ' +
    'yours, refuse it or drop it. Routes are looked at in the order of their positions; the first that ' +
    'matches decides, unless it says `continue`. Where none matches, the mail is kept and announced by ' +
    '`email.received`. An addition of Postrider.',
)
@PathId('id', 'Id of the route.', routeId, 'Route')
@PermissionsOf('routes')
export class RoutesController {
  constructor(
    private readonly routes: Routes,
    private readonly explanations: ExplainRoute,
  ) {}

  @Post()
  @Operation('Create a route', `Adds a route at a position, or behind all others. A team may have ${maxRoutes} routes.`)
  @Takes(CreateRouteRequest, 'The route.')
  @Responses(RouteResponse, 'The route.', { status: 201 })
  @Refuses(() => [
    new MissingFieldError('recipient'),
    invalidPattern,
    () => parseAction({ type: 'answer' }),
    conditionalReject,
    new CannotForwardError('acme.example'),
    new TooManyRoutesError(),
  ])
  @PassesOn(['emails:read'])
  async createRoute(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<RouteResponse> {
    return { object: 'route', ...routeSummary(await this.routes.add(principal, decodeNewRoute(body))) };
  }

  @Post('explain')
  @Operation(
    'Explain what happens to an address',
    'Says what would happen to a message for an address, and why. Nothing is sent and nothing changes.',
  )
  @Takes(ExplainRouteRequest, 'The recipient, and the header fields that conditions look at.')
  @Responses(RouteExplanationResponse, 'The explanation.')
  @Refuses(() => [() => decodeExplanation({ recipient: 'support' })])
  @Audited(changesNothing)
  @Requires('routes:read')
  async explainRoute(@TeamId() teamId: string, @Body() body: unknown) {
    const { address, header } = decodeExplanation(body);
    return explanationResponse(await this.explanations.explain(teamId, address, header));
  }

  @Get()
  @Operation('List routes', 'The routes of your team in the order in which they are looked at, in pages.')
  @ResponsesList(RouteSummaryResponse, 'A page of routes.')
  async listRoutes(@TeamId() teamId: string, @Query() query: { readonly limit?: unknown }) {
    return listResponse(await this.routes.list(teamId, parsePageRequest(query)), routeSummary);
  }

  @Get(':id')
  @Operation('Get a route', 'One route.')
  @Responses(RouteResponse, 'The route.')
  async getRoute(@TeamId() teamId: string, @Param('id') id: string): Promise<RouteResponse> {
    return { object: 'route', ...routeSummary(await this.routes.find(teamId, id)) };
  }

  @Patch(':id')
  @Operation(
    'Change a route',
    'Changes the given fields. Another `position` moves the route; those in between make room.',
  )
  @Takes(UpdateRouteRequest, 'The changes.')
  @Responses(RouteResponse, 'The route.', { example: { position: 1 } })
  @Refuses(() => [
    invalidPattern,
    () => parseAction({ type: 'answer' }),
    conditionalReject,
    new CannotForwardError('acme.example'),
  ])
  @PassesOn(['emails:read'])
  async updateRoute(
    @CurrentPrincipal() principal: Principal,
    @Param('id') routeId: string,
    @Body() body: unknown,
  ): Promise<RouteResponse> {
    return {
      object: 'route',
      ...routeSummary(await this.routes.change(principal, routeId, decodeRouteChanges(body))),
    };
  }

  @Delete(':id')
  @Operation('Remove a route', 'The routes behind it move up.')
  @Responses(RemovedRouteResponse, 'The route is removed.')
  async removeRoute(@CurrentPrincipal() principal: Principal, @Param('id') routeId: string) {
    await this.routes.remove(principal, routeId);
    return toResponse(RemovedRouteResponse, { id: routeId });
  }
}
