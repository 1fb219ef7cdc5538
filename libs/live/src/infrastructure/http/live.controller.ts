import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { DescribedBy } from '#platform/openapi';
import { Controller, Get, Headers, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LiveStreams } from './live-streams.js';

@Controller('live')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/live.description.js'))
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  @Get()
  @Requires('emails:read')
  live(
    @CurrentPrincipal() { teamId }: Principal,
    @Res() reply: FastifyReply,
    @Headers('last-event-id') lastEventId?: string,
  ): void {
    this.streams.open(teamId, lastEventId, reply);
  }
}
