import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { decodeBody, idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
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
@PathId('id', 'Id of the domain.', domainId)
@UseGuards(PrincipalGuard)
export class GuardController {
  constructor(
    private readonly readGuard: ReadGuard,
    private readonly liftGuard: LiftGuard,
  ) {}

  @Get()
  @Operation(
    'getDomainGuard',
    'See what slows the mail of a domain',
    'The steps that the reputation guard took for a domain, by mailbox provider, with what decided, the replies of hosts and the ' +
      'likely cause, and the limits of each step. An addition of Postrider.',
  )
  @Responses(DomainGuardResponse, 'The state of the guard.')
  @Refuses(() => [new NotFoundError('Domain')])
  @Requires('domains:read')
  async state(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<DomainGuardResponse> {
    const { domain, settings, states } = await this.readGuard.of(teamId, idFromPath('id', id));
    return domainGuardResponse(domain, settings, states);
  }

  @Get('changes')
  @Operation(
    'listDomainGuardChanges',
    'List the changes of the guard',
    'Each step that the reputation guard took or took back for a domain, newest first, in pages. They are kept for 400 days. An ' +
      'addition of Postrider.',
  )
  @ResponsesList(GuardChangeResponse, 'A page of changes.')
  @Refuses(() => [new NotFoundError('Domain')])
  @Requires('domains:read')
  async changes(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<GuardChangeResponse>> {
    const page = parsePageRequest(query);
    return listResponse(await this.readGuard.changes(teamId, idFromPath('id', id), page), changeResponse);
  }

  @Post('lift')
  @Operation(
    'liftDomainGuard',
    'Lift a step of the guard',
    'Mail to the provider goes as usual at once, and what was counted before is forgiven. If the same happens again within a day, ' +
      'only the operator of the service can lift it. An addition of Postrider.',
  )
  @Takes(LiftGuardRequest, 'The provider.')
  @Responses(LiftedGuardResponse, 'The step is lifted.')
  @Refuses(() => [new NotFoundError('Domain'), new NotFoundError('Step of the guard'), new GuardLockedError()])
  @Requires('domains:write')
  @HttpCode(200)
  async lift(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<LiftedGuardResponse> {
    const { provider } = decodeBody(LiftGuardRequest, body);
    const domain = idFromPath('id', id);
    await this.liftGuard.lift(principal, domain, provider);
    return { object: 'domain_guard', id: domain, provider, step: 'none' };
  }
}
