import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { decodeBody } from '#http/server';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { LiftGuard } from '../../application/lift-guard.use-case.js';
import { ReadGuard } from '../../application/read-guard.query.js';
import { LiftAnyGuardRequest } from './reputation.request.js';
import { activeGuardResponse, ActiveGuardsResponse, LiftedGuardResponse } from './guard.response.js';

/** The steps of the guard for all domains, for the operator. */
@Controller('machine-room/guards')
@Describes('Machine room')
@PermissionsOf('installation')
export class GuardsController {
  constructor(
    private readonly readGuard: ReadGuard,
    private readonly guardLifting: LiftGuard,
  ) {}

  @Get()
  @Operation(
    'See whose mail the guard slows',
    'Domains of all teams for which the reputation guard took a step, by mailbox provider, the furthest first.',
  )
  @Responses(ActiveGuardsResponse, 'The steps.')
  async listGuards(@CurrentPrincipal() principal: Principal): Promise<ActiveGuardsResponse> {
    const { mode, states } = await this.readGuard.active(principal);
    return { object: 'guards', mode, data: states.map(activeGuardResponse) };
  }

  @Post('lift')
  @Operation('Lift a step of the guard', 'Also where the team itself may not lift it any more.')
  @Takes(LiftAnyGuardRequest, 'The domain and the provider.')
  @Responses(LiftedGuardResponse, 'The step is lifted.')
  @Refuses(() => [new NotFoundError('Step of the guard')])
  async liftGuard(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<LiftedGuardResponse> {
    const { domain_id: domainId, provider } = decodeBody(LiftAnyGuardRequest, body);
    await this.guardLifting.liftAsOperator(principal, domainId, provider);
    return { object: 'domain_guard', id: domainId, provider, step: 'none' };
  }
}
