import { Undocumented } from '#http/openapi';
import { CurrentPrincipal, PrincipalGuard, Requires, TeamRepository } from '#identity';
import type { Principal } from '#identity';
import { found } from '#kernel';
import { Controller, Get, UseGuards } from '@nestjs/common';
import { numberOf } from './postmark-pages.js';

/** A server of Postmark is a team here. Clients read it to see whether their token works. */
@Controller('postmark/server')
@UseGuards(PrincipalGuard)
@Undocumented()
export class PostmarkServerController {
  constructor(private readonly teams: TeamRepository) {}

  @Get()
  @Requires('team:read')
  async get(@CurrentPrincipal() { teamId }: Principal): Promise<object> {
    const { name } = found('Team', await this.teams.find(teamId));
    return {
      ID: numberOf(teamId),
      Name: name,
      ApiTokens: [],
      Color: 'Blue',
      SmtpApiActivated: true,
      RawEmailEnabled: false,
      DeliveryType: 'Live',
      InboundHookUrl: '',
      BounceHookUrl: '',
      OpenHookUrl: '',
      TrackOpens: false,
      TrackLinks: 'None',
      PostFirstOpenOnly: false,
    };
  }
}
