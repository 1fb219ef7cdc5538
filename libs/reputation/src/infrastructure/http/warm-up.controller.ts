import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { decodeBody, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ReadWarmUp } from '../../application/read-warm-up.query.js';
import { WarmUpDomain } from '../../application/warm-up-domain.use-case.js';
import { domainId } from './example-ids.js';
import { WarmUpRequest } from './reputation.request.js';
import { DomainWarmUpResponse, EndedWarmUpResponse, warmUpResponse } from './warm-up.response.js';

/** An addition of Postrider: the mail of a new domain grows day by day. */
@Controller('domains/:id/warm-up')
@Describes('Domains')
@PathId('id', 'Id of the domain.', domainId, 'Domain')
@PermissionsOf('domains')
export class WarmUpController {
  constructor(
    private readonly readWarmUp: ReadWarmUp,
    private readonly warmUpDomain: WarmUpDomain,
  ) {}

  @Get()
  @Operation(
    'See how far a domain is warmed up',
    'By mailbox provider: the day of the schedule, what may go today and went, whether mail waits or the ramp was slowed, and when it ends. ' +
      'An addition of Postrider.',
  )
  @Responses(DomainWarmUpResponse, 'The warm-up.')
  async getDomainWarmUp(@TeamId() teamId: string, @Param('id') id: string) {
    return warmUpResponse(await this.readWarmUp.of(teamId, id));
  }

  @Put()
  @Operation(
    'Warm up a domain',
    'From now on as much mail of the domain goes to each mailbox provider in a day as the schedule says, transactional mail first, and the ' +
      'rest waits. A warm-up that runs goes on where it is, with this schedule. An addition of Postrider.',
  )
  @Takes(WarmUpRequest, 'The schedule.')
  @Responses(DomainWarmUpResponse, 'The warm-up runs.')
  async startDomainWarmUp(
    @CurrentPrincipal() principal: Principal,
    @Param('id') domain: string,
    @Body() body: unknown,
  ) {
    await this.warmUpDomain.start(principal, domain, decodeBody(WarmUpRequest, body ?? {}).schedule);
    return warmUpResponse(await this.readWarmUp.of(principal.teamId, domain));
  }

  @Delete()
  @Operation('End the warm-up of a domain', 'Mail that waits goes at once. An addition of Postrider.')
  @Responses(EndedWarmUpResponse, 'The warm-up has ended.')
  @Refuses(() => [new NotFoundError('Warm-up')])
  async endDomainWarmUp(@CurrentPrincipal() principal: Principal, @Param('id') domain: string) {
    await this.warmUpDomain.end(principal, domain);
    return toResponse(EndedWarmUpResponse, { id: domain });
  }
}
