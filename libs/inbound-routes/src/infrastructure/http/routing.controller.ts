import { PermissionsOf, TeamId } from '#identity';
import { listResponse, toResponse } from '#http/server';
import {
  Describes,
  IdOrNull,
  Moment,
  OneOf,
  Operation,
  PathId,
  ResponsesAll,
  Shape,
  Text,
  TextOrNull,
} from '#http/openapi';
import { Controller, Get, Param } from '@nestjs/common';
import { RouteResult } from '../../application/ports/route-results.port.js';
import { Routes } from '../../application/routes.use-case.js';
import { receivedId, routeId } from './route.response.js';

@Shape('What an action came to.')
export class RoutingResultResponse {
  @IdOrNull('The route that asked for it; null for the default.', routeId) route_id!: string | null;
  @OneOf(
    ['webhook', 'forward', 'smtp', 'lmtp', 'automation'],
    'The action. `automation`: automations begin with mail of the route.',
    'forward',
  )
  action!: RouteResult['action'];
  @Text('The address or host that it is for.', 'ada@customer.example') target!: string;
  @OneOf(
    ['done', 'refused', 'loop', 'not_possible'],
    '`done`; `refused` by the host; `loop`: the message has been here before; `not_possible`.',
    'done',
  )
  outcome!: RouteResult['outcome'];
  @TextOrNull('The reply of the host, or the reason; null if there is none.') detail!: string | null;
  @IdOrNull(
    'The email that passes the message on, with its own events; null for other actions.',
    '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d',
  )
  email_id!: string | null;
  @Moment('When it ended.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

/** Addition of Postrider: what the routes did for a received email. */
@Controller('emails/receiving/:id')
@Describes('Routes')
@PathId('id', 'Id of the received email.', receivedId, 'Email')
@PermissionsOf('emails')
export class RoutingController {
  constructor(private readonly routes: Routes) {}

  @Get('routing')
  @Operation(
    'See what routes did for a received email',
    'The actions that have ended for a received email. An action that is still tried is not in the list. ' +
      'An addition of Postrider.',
  )
  @ResponsesAll(RoutingResultResponse, 'The results.')
  async listRoutingResults(@TeamId() teamId: string, @Param('id') id: string) {
    const results = await this.routes.resultsOf(teamId, id);
    return listResponse({ items: results, hasMore: false }, routingResult);
  }
}

const routingResult = (result: RouteResult): RoutingResultResponse => toResponse(RoutingResultResponse, result);
