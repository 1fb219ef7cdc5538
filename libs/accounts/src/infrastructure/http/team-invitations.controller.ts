import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { decodeBody, idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ManageInvitations } from '../../application/manage-invitations.use-case.js';
import { Invitation } from '../../domain/invitation.js';
import { InviteRequest } from './team.request.js';
import { InvitationResponse, RevokedInvitationResponse } from './team.response.js';

@Controller('team/invitations')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/team-invitations.description.js'))
export class TeamInvitationsController {
  constructor(private readonly invitations: ManageInvitations) {}

  @Post()
  @Requires('team:write')
  @Takes(InviteRequest)
  @Responses(InvitationResponse, 201)
  async invite(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<InvitationResponse> {
    return invitationResponse(
      await this.invitations.invite(principal, decodeBody(InviteRequest, body, ['email', 'role'])),
    );
  }

  @Get()
  @Requires('team:read')
  @ResponsesList(InvitationResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<InvitationResponse>> {
    return listResponse(await this.invitations.list(teamId, parsePageRequest(query)), invitationResponse);
  }

  @Delete(':id')
  @Requires('team:write')
  @Responses(RevokedInvitationResponse)
  async revoke(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<RevokedInvitationResponse> {
    const invitationId = idFromPath('id', id);
    await this.invitations.revoke(teamId, invitationId);
    return { object: 'team_invitation', id: invitationId, deleted: true };
  }
}

function invitationResponse({ id, email, role, createdAt, expiresAt }: Invitation): InvitationResponse {
  const object = 'team_invitation';
  return { object, id, email, role, created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) };
}
