import { toResponse } from '#http/server';
import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { Always, Describes, Flag, Operation, Refuses, Responses, Shape, Takes, Text, TextOrNull } from '#http/openapi';
import { Body, Controller, Get, Patch } from '@nestjs/common';
import { parseAccentColor, parseLogo } from '../../domain/sender-profile.js';
import { EditSenderProfile } from '../../application/edit-sender-profile.use-case.js';
import type { SenderProfile } from '../../domain/sender-profile.js';
import { decodeProfileChanges, UpdatePreferencePageRequest } from './sender-profile.request.js';

@Shape('How your team looks on the preference page.')
export class PreferencePageResponse {
  @Always('preference_page') object!: 'preference_page';
  @Text('Name that recipients see.', 'Acme') name!: string;
  @Flag('Whether it is the name of your team, because no other was set.', false) is_team_name!: boolean;
  @TextOrNull(
    'The picture in base64; null if there is none.',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  )
  logo!: string | null;
  @TextOrNull('Media type of the picture; null if there is none.', 'image/png') logo_type!: string | null;
  @TextOrNull('Colour of buttons; null for that of the service.', '#0f766e') accent_color!: string | null;
}

/** Addition of Postrider: how the team looks on its preference page. */
@Controller('preference-page')
@Describes(
  'Preference page',
  'The page on which recipients unsubscribe and choose topics. Links to unsubscribe in your emails lead ' +
    'to it. An addition of Postrider.',
)
@PermissionsOf('audience')
export class SenderProfileController {
  constructor(private readonly profile: EditSenderProfile) {}

  @Get()
  @Operation('Get the look of the preference page', 'The name, logo and colour that recipients see.')
  @Responses(PreferencePageResponse, 'The look of the page.')
  async getPreferencePage(@TeamId() teamId: string) {
    return response(await this.profile.find(teamId));
  }

  @Patch()
  @Operation(
    'Change the look of the preference page',
    'Sets the name, logo and colour that recipients see. The page shows them at once.',
  )
  @Takes(UpdatePreferencePageRequest, 'The fields to change.')
  @Responses(PreferencePageResponse, 'The look of the page.')
  @Refuses(() => [() => parseAccentColor('red'), () => parseLogo(new Uint8Array())])
  async updatePreferencePage(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return response(await this.profile.change(principal, decodeProfileChanges(body)));
  }
}

const response = (profile: SenderProfile): PreferencePageResponse =>
  toResponse(PreferencePageResponse, profile, {
    is_team_name: !profile.isOwnName,
    logo: profile.logo === null ? null : Buffer.from(profile.logo.bytes).toString('base64'),
    logo_type: profile.logo?.contentType ?? null,
  });
