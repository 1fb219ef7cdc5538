import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, parsePageRequest, ValidationError } from '#kernel';
import { decodeBody, listResponse, timestamp, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { RoleTooHighError, TooManyInvitationsError, TooManyMembersError } from '../../domain/team-rules.js';
import { TeamInvitations } from '../../application/team-invitations.use-case.js';
import { AlreadyMemberError, Invitation, parseUserAddress } from '../../domain/invitation.js';
import { invitationId } from './example-ids.js';
import { InviteRequest } from './team.request.js';
import { InvitationResponse, RevokedInvitationResponse } from './team.response.js';

@Controller('team/invitations')
@Describes('Team')
@PathId('id', 'Id of the invitation.', invitationId, 'Invitation')
@PermissionsOf('team')
export class TeamInvitationsController {
  constructor(private readonly invitations: TeamInvitations) {}

  @Post()
  @Operation(
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
  async inviteMember(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return invitationResponse(
      await this.invitations.invite(principal, decodeBody(InviteRequest, body, ['email', 'role'])),
    );
  }

  @Get()
  @Operation('List invitations', 'The invitations that were not accepted yet, newest first.')
  @ResponsesList(InvitationResponse, 'A page of invitations.')
  async listInvitations(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.invitations.list(teamId, parsePageRequest(query)), invitationResponse);
  }

  @Delete(':id')
  @Operation('Revoke an invitation', 'Its link stops working at once.')
  @Responses(RevokedInvitationResponse, 'Revoked.')
  async revokeInvitation(@TeamId() teamId: string, @Param('id') invitationId: string) {
    await this.invitations.revoke(teamId, invitationId);
    return toResponse(RevokedInvitationResponse, { id: invitationId });
  }
}

function invitationResponse({ id, email, role, grantId, createdAt, expiresAt }: Invitation): InvitationResponse {
  const object = 'team_invitation';
  const times = { created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) };
  return { object, id, email, role, ...times, oauth_grant_id: grantId };
}
