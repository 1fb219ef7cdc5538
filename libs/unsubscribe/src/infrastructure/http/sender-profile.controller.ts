import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { DescribedBy, Flag, OneOf, Responses, Takes, Text, TextOrNull } from '#platform/openapi';
import { Body, Controller, Get, Patch, UseGuards } from '@nestjs/common';
import { ManageSenderProfile } from '../../application/manage-sender-profile.use-case.js';
import type { SenderProfile } from '../../domain/sender-profile.js';
import { decodeProfileChanges, UpdatePreferencePageRequest } from './sender-profile.request.js';

export class PreferencePageResponse {
  @OneOf('preference_page') object!: 'preference_page';
  @Text() name!: string;
  @Flag() is_team_name!: boolean;
  @TextOrNull() logo!: string | null;
  @TextOrNull() logo_type!: string | null;
  @TextOrNull() accent_color!: string | null;
}

/** Addition of Postrider: how the team looks on its preference page. */
@Controller('preference-page')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/sender-profile.description.js'))
export class SenderProfileController {
  constructor(private readonly profile: ManageSenderProfile) {}

  @Get()
  @Requires('audience:read')
  @Responses(PreferencePageResponse)
  async get(@CurrentPrincipal() { teamId }: Principal): Promise<PreferencePageResponse> {
    return response(await this.profile.find(teamId));
  }

  @Patch()
  @Requires('audience:write')
  @Takes(UpdatePreferencePageRequest)
  @Responses(PreferencePageResponse)
  async update(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<PreferencePageResponse> {
    return response(await this.profile.change(principal, decodeProfileChanges(body)));
  }
}

function response({ name, isOwnName, logo, accentColor }: SenderProfile): PreferencePageResponse {
  return {
    object: 'preference_page',
    name,
    is_team_name: !isOwnName,
    logo: logo === null ? null : Buffer.from(logo.bytes).toString('base64'),
    logo_type: logo?.contentType ?? null,
    accent_color: accentColor,
  };
}
