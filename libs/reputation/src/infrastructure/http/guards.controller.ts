import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { decodeBody } from '#http/server';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { LiftGuard } from '../../application/lift-guard.use-case.js';
import { ReadGuard } from '../../application/read-guard.query.js';
import { LiftAnyGuardRequest } from './reputation.request.js';
import { activeGuardResponse, ActiveGuardsResponse, LiftedGuardResponse } from './guard.response.js';

/** The steps of the guard for all domains, for the operator. */
@Controller('machine-room/guards')
@Describes('Machine room')
@UseGuards(PrincipalGuard)
export class GuardsController {
  constructor(
    private readonly readGuard: ReadGuard,
    private readonly liftGuard: LiftGuard,
  ) {}

  @Get()
  @Operation(
    'listGuards',
    'See whose mail the guard slows',
    'Domains of all teams for which the reputation guard took a step, by mailbox provider, the furthest first.',
  )
  @Responses(ActiveGuardsResponse, 'The steps.')
  @Requires('installation:read')
  async active(@CurrentPrincipal() principal: Principal): Promise<ActiveGuardsResponse> {
    const { mode, states } = await this.readGuard.active(principal);
    return { object: 'guards', mode, data: states.map(activeGuardResponse) };
  }

  @Post('lift')
  @Operation('liftGuard', 'Lift a step of the guard', 'Also where the team itself may not lift it any more.')
  @Takes(LiftAnyGuardRequest, 'The domain and the provider.')
  @Responses(LiftedGuardResponse, 'The step is lifted.')
  @Refuses(() => [new NotFoundError('Step of the guard')])
  @Requires('installation:write')
  @HttpCode(200)
  async lift(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<LiftedGuardResponse> {
    const { domain_id: domainId, provider } = decodeBody(LiftAnyGuardRequest, body);
    await this.liftGuard.liftAsOperator(principal, domainId, provider);
    return { object: 'domain_guard', id: domainId, provider, step: 'none' };
  }
}
