import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { decodeBody, idFromPath, listResponse, ListResponse, timestamp } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { RoleTooHighError, TooManyInvitationsError, TooManyMembersError } from '../../domain/team-rules.js';
import { TeamInvitations } from '../../application/team-invitations.use-case.js';
import { AlreadyMemberError, Invitation, parseUserAddress } from '../../domain/invitation.js';
import { invitationId } from './example-ids.js';
import { InviteRequest } from './team.request.js';
import { InvitationResponse, RevokedInvitationResponse } from './team.response.js';

@Controller('team/invitations')
@Describes('Team')
@PathId('id', 'Id of the invitation.', invitationId)
@UseGuards(PrincipalGuard)
export class TeamInvitationsController {
  constructor(private readonly invitations: TeamInvitations) {}

  @Post()
  @Operation(
    'inviteMember',
    'Invite somebody',
    'Mails a link that is valid for seven days. Only the mail has the link. An earlier invitation of the ' +
      'address stops working.',
  )
  @Takes(InviteRequest, 'Whom to invite.')
  @Responses(InvitationResponse, 'The mail is on its way.', { status: 201 })
  @Refuses(() => [
    new MissingFieldError('email'),
    () => parseUserAddress('nobody'),
    new ValidationError('The `role` field must be "owner" | "admin" | "developer" | "viewer".'),
    new RoleTooHighError(),
    new AlreadyMemberError(),
    new TooManyMembersError(),
    new TooManyInvitationsError(),
  ])
  @Requires('team:write')
  async invite(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<InvitationResponse> {
    return invitationResponse(
      await this.invitations.invite(principal, decodeBody(InviteRequest, body, ['email', 'role'])),
    );
  }

  @Get()
  @Operation('listInvitations', 'List invitations', 'The invitations that were not accepted yet, newest first.')
  @ResponsesList(InvitationResponse, 'A page of invitations.')
  @Requires('team:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<InvitationResponse>> {
    return listResponse(await this.invitations.list(teamId, parsePageRequest(query)), invitationResponse);
  }

  @Delete(':id')
  @Operation('revokeInvitation', 'Revoke an invitation', 'Its link stops working at once.')
  @Responses(RevokedInvitationResponse, 'Revoked.')
  @Refuses(() => [new NotFoundError('Invitation')])
  @Requires('team:write')
  async revoke(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<RevokedInvitationResponse> {
    const invitationId = idFromPath('id', id);
    await this.invitations.revoke(teamId, invitationId);
    return { object: 'team_invitation', id: invitationId, deleted: true };
  }
}

function invitationResponse({ id, email, role, grantId, createdAt, expiresAt }: Invitation): InvitationResponse {
  const object = 'team_invitation';
  const times = { created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) };
  return { object, id, email, role, ...times, oauth_grant_id: grantId };
}
