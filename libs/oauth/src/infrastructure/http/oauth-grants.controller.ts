import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { found, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import {
  ApiProperty,
  DescribedBy,
  Id,
  MomentOrNull,
  Moment,
  OneOf,
  OptionalText,
  Responses,
  ResponsesList,
  Text,
  TextOrNull,
  Texts,
} from '#platform/openapi';
import { Controller, Delete, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Grant, OAuthStore } from '../../application/ports/oauth-store.port.js';

export class OAuthGrantClientResponse {
  @Text() name!: string;
  @OptionalText() logo_uri?: string;
}

export class OAuthGrantResponse {
  @Id() id!: string;
  @Id() client_id!: string;
  @Texts() scopes!: readonly string[];
  @Moment() created_at!: string;
  @MomentOrNull() revoked_at!: string | null;
  @TextOrNull() revoked_reason!: string | null;
  @ApiProperty({ type: OAuthGrantClientResponse }) client!: OAuthGrantClientResponse;
}

export class RevokedGrantResponse {
  @OneOf('oauth_grant') object!: 'oauth_grant';
  @Id() id!: string;
  /** RFC 3339, unlike the other times of the API (docs/wire-contract.md section 11). */
  @ApiProperty({ type: String, format: 'date-time' }) revoked_at!: string;
  @Text() revoked_reason!: string;
}

/** What users of the team have allowed to tools. */
@Controller('oauth/grants')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/oauth-grants.description.js'))
export class OAuthGrantsController {
  constructor(private readonly store: OAuthStore) {}

  @Get()
  @Requires('team:read')
  @ResponsesList(OAuthGrantResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<OAuthGrantResponse>> {
    return listResponse(await this.store.list(teamId, parsePageRequest(query)), shown);
  }

  @Delete(':id')
  @Requires('team:write')
  @Responses(RevokedGrantResponse)
  async revoke(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<RevokedGrantResponse> {
    const grant = found('OAuth grant', await this.store.revoke(teamId, idFromPath('id', id), 'revoked_from_api'));
    const revokedAt = (grant.revokedAt ?? new Date()).toISOString();
    return { object: 'oauth_grant', id: grant.id, revoked_at: revokedAt, revoked_reason: grant.revokedReason ?? '' };
  }
}

function shown(grant: Grant): OAuthGrantResponse {
  return {
    id: grant.id,
    client_id: grant.clientId,
    scopes: [...grant.scopes],
    created_at: timestamp(grant.createdAt),
    revoked_at: grant.revokedAt === null ? null : timestamp(grant.revokedAt),
    revoked_reason: grant.revokedReason,
    client: { name: grant.clientName, ...(grant.logoUri === null ? {} : { logo_uri: grant.logoUri }) },
  };
}
