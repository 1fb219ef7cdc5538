import { CurrentPrincipal, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { found, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import {
  Always,
  Describes,
  Field,
  Id,
  Instant,
  Moment,
  MomentOrNull,
  Operation,
  PathId,
  Responses,
  ResponsesList,
  Shape,
  Text,
  TextOrNull,
  Texts,
} from '#http/openapi';
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { Grant, OAuthStore } from '../../application/ports/oauth-store.port.js';

const grantId = '0196f3a1-ad5f-7a7c-9b55-6d8c2e1f9a04';

@Shape('The tool, as it named itself.')
export class OAuthGrantClientResponse {
  @Text('Name of the tool.', 'Command line') name!: string;
  @TextOrNull('Address of its logo, or null.') logo_uri!: string | null;
}

@Shape('That a user lets a tool act in the team.')
export class OAuthGrantResponse {
  @Id('Id of the grant.', grantId) id!: string;
  @Id('Id of the tool.', '7136aa0b-625c-4c9c-8820-e9784c8eb141') client_id!: string;
  @Id('Id of the user who allowed it.', '0196f3a1-6f0b-7c3e-9d11-2f4e8a7b5c60') user_id!: string;
  @Texts('What the tool may do, as far as the user may.', ['full_access']) scopes!: readonly string[];
  @Moment('When the user allowed it.', '2026-11-28 09:12:44.08+00') created_at!: string;
  @MomentOrNull('When it ended; null while it is in force.') revoked_at!: string | null;
  @TextOrNull('Why it ended.') revoked_reason!: string | null;
  @Field('The tool.', { type: OAuthGrantClientResponse }) client!: OAuthGrantClientResponse;
}

@Shape('The grant that was revoked.')
export class RevokedGrantResponse {
  @Always('oauth_grant') object!: 'oauth_grant';
  @Id('Id of the grant.', grantId) id!: string;
  /** RFC 3339, unlike the other times of the API (docs/wire-contract.md section 11). */
  @Instant('When it was revoked.', '2026-11-30T20:39:59.540Z') revoked_at!: string;
  @Text('Why it was revoked.', 'revoked_from_api') revoked_reason!: string;
}

/** What users of the team have allowed to tools. */
@Controller('oauth/grants')
@Describes('OAuth', 'Tools that act for users of the team: the command-line client after its login, and MCP clients.')
@PathId('id', 'Id of the grant.', grantId, 'OAuth grant')
@PermissionsOf('team')
export class OAuthGrantsController {
  constructor(private readonly store: OAuthStore) {}

  @Get()
  @Operation('List tools', 'The tools that may act in your team, newest first.')
  @ResponsesList(OAuthGrantResponse, 'A page of grants.')
  async listOAuthGrants(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.store.list(teamId, parsePageRequest(query)), shown);
  }

  /**
   * Everybody may revoke what they allowed themselves, so the handler asks for the permission only for those of
   * somebody else.
   */
  @Delete(':id')
  @Operation(
    'Revoke a tool',
    'The tokens of the tool, and the API keys and invitations that it made, stop working at once. ' +
      'Everybody may revoke what they allowed themselves.',
  )
  @Responses(RevokedGrantResponse, 'Revoked.')
  @Requires('team:read')
  async revokeOAuthGrant(
    @CurrentPrincipal() principal: Principal,
    @Param('id') grantId: string,
  ): Promise<RevokedGrantResponse> {
    const { teamId, actor, tool } = principal;
    const { userId } = found('OAuth grant', await this.store.find(teamId, grantId));
    const isOwn = tool === null ? actor.kind === 'user' && actor.id === userId : tool.grantId === grantId;
    if (!isOwn) principal.require('team:write');
    const grant = found('OAuth grant', await this.store.revoke(teamId, grantId, 'revoked_from_api'));
    const revokedAt = (grant.revokedAt ?? new Date()).toISOString();
    return { object: 'oauth_grant', id: grant.id, revoked_at: revokedAt, revoked_reason: grant.revokedReason ?? '' };
  }
}

const shown = (grant: Grant): OAuthGrantResponse =>
  toResponse(OAuthGrantResponse, grant, {
    client: { name: grant.clientName, logo_uri: grant.logoUri },
  });
