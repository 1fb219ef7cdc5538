import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { decodeBody, listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { GuardLockedError, LiftGuard } from '../../application/lift-guard.use-case.js';
import { ReadGuard } from '../../application/read-guard.query.js';
import { domainId } from './example-ids.js';
import { LiftGuardRequest } from './reputation.request.js';
import {
  changeResponse,
  DomainGuardResponse,
  domainGuardResponse,
  GuardChangeResponse,
  LiftedGuardResponse,
} from './guard.response.js';
import { reputationEvents } from './reputation-events.js';

/** An addition of Postrider: how the guard of reputations holds the mail of a domain. */
@Controller('domains/:id/guard')
@Describes('Domains', undefined, reputationEvents)
@PathId('id', 'Id of the domain.', domainId, 'Domain')
@PermissionsOf('domains')
export class GuardController {
  constructor(
    private readonly readGuard: ReadGuard,
    private readonly liftGuard: LiftGuard,
  ) {}

  @Get()
  @Operation(
    'See what slows the mail of a domain',
    'The steps that the reputation guard took for a domain, by mailbox provider, with what decided, the replies of hosts and the ' +
      'likely cause, and the limits of each step. An addition of Postrider.',
  )
  @Responses(DomainGuardResponse, 'The state of the guard.')
  async getDomainGuard(@TeamId() teamId: string, @Param('id') id: string) {
    const { domain, settings, states } = await this.readGuard.of(teamId, id);
    return domainGuardResponse(domain, settings, states);
  }

  @Get('changes')
  @Operation(
    'List the changes of the guard',
    'Each step that the reputation guard took or took back for a domain, newest first, in pages. They are kept for 400 days. An ' +
      'addition of Postrider.',
  )
  @ResponsesList(GuardChangeResponse, 'A page of changes.')
  async listDomainGuardChanges(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ) {
    const page = parsePageRequest(query);
    return listResponse(await this.readGuard.changes(teamId, id, page), changeResponse);
  }

  @Post('lift')
  @Operation(
    'Lift a step of the guard',
    'Mail to the provider goes as usual at once, and what was counted before is forgiven. If the same happens again within a day, ' +
      'only the operator of the service can lift it. An addition of Postrider.',
  )
  @Takes(LiftGuardRequest, 'The provider.')
  @Responses(LiftedGuardResponse, 'The step is lifted.')
  @Refuses(() => [new NotFoundError('Step of the guard'), new GuardLockedError()])
  async liftDomainGuard(@CurrentPrincipal() principal: Principal, @Param('id') domain: string, @Body() body: unknown) {
    const { provider } = decodeBody(LiftGuardRequest, body);
    await this.liftGuard.lift(principal, domain, provider);
    return toResponse(LiftedGuardResponse, { id: domain, provider, step: 'none' });
  }
}
