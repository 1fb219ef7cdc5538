import { CurrentPrincipal, Teams, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { checkDisplayName, Clock, mailboxField, NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { decodeBody, listResponse, timestamp, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LastOwnerError, OwnerOnlyError, RoleTooHighError } from '../../domain/team-rules.js';
import { TeamMembers } from '../../application/team-members.use-case.js';
import { Member } from '../../application/ports/memberships.port.js';
import { StepUpRequiredError } from '../../domain/accounts-errors.js';
import { isRecent } from '../../domain/user.js';
import { userId } from './example-ids.js';
import { userOf } from './request-users.js';
import { ChangeRoleRequest, TransferTeamRequest, TeamSettingsRequest } from './team.request.js';
import {
  MemberIdResponse,
  MemberResponse,
  RemovedMemberResponse,
  TeamIdResponse,
  TeamResponse,
} from './team.response.js';

@Controller('team')
@Describes('Team', 'The people of your team and their roles.')
@PathId('id', 'Id of the user.', userId, 'Member')
@PermissionsOf('team')
export class TeamController {
  constructor(
    private readonly teams: Teams,
    private readonly members: TeamMembers,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('Get your team', 'The team of the API key, or the one that `X-Team` names.')
  @Responses(TeamResponse, 'The team.')
  async getTeam(@TeamId() teamId: string): Promise<TeamResponse> {
    const { id, name, defaultFrom, createdAt } = await this.teams.find(teamId);
    return { object: 'team', id, name, default_from: defaultFrom, created_at: timestamp(createdAt) };
  }

  @Patch()
  @Operation('Update your team', 'Gives the team another name or another default sender.')
  @Takes(TeamSettingsRequest, 'What changes.')
  @Responses(TeamIdResponse, 'It is changed.')
  @Refuses(() => [() => checkDisplayName(''), () => mailboxField('default_from', '')])
  async updateTeam(@TeamId() teamId: string, @Body() body: unknown) {
    const { name, default_from } = decodeBody(TeamSettingsRequest, body, ['name', 'default_from']);
    await this.teams.change(teamId, { name, defaultFrom: default_from });
    return toResponse(TeamIdResponse, { id: teamId });
  }

  @Get('members')
  @Operation('List members', 'The people of the team.')
  @ResponsesList(MemberResponse, 'A page of members.')
  async listMembers(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.members.list(teamId, parsePageRequest(query)), memberResponse);
  }

  @Get('members/:id')
  @Operation('Get a member', 'One member of the team.')
  @Responses(MemberResponse, 'The member.')
  async getMember(@TeamId() teamId: string, @Param('id') id: string) {
    return memberResponse(await this.members.find(teamId, id));
  }

  @Patch('members/:id')
  @Operation(
    'Change the role of a member',
    'Takes effect with the next request of the member. You can give and change roles up to your own.',
  )
  @Takes(ChangeRoleRequest, 'The role.')
  @Responses(MemberIdResponse, 'It is changed.')
  @Refuses(() => [
    new ValidationError('The `role` field must be "owner" | "admin" | "developer" | "viewer".'),
    new RoleTooHighError(),
    new LastOwnerError(),
  ])
  async updateMember(@CurrentPrincipal() principal: Principal, @Param('id') userId: string, @Body() body: unknown) {
    await this.members.changeRole(principal, userId, decodeBody(ChangeRoleRequest, body, ['role']).role);
    return toResponse(MemberIdResponse, { id: userId });
  }

  /** Viewers may remove themselves, so the use case asks for the permission if it is somebody else. */
  @Delete('members/:id')
  @Operation('Remove a member', 'Takes effect at once. Everybody may remove themselves; the last owner cannot leave.')
  @Responses(RemovedMemberResponse, 'Removed.')
  @Refuses(() => [new RoleTooHighError(), new LastOwnerError()])
  @Requires('team:read')
  async removeMember(@CurrentPrincipal() principal: Principal, @Param('id') userId: string) {
    await this.members.remove(principal, userId);
    return toResponse(RemovedMemberResponse, { id: userId });
  }

  @Post('transfer')
  @Operation(
    'Transfer the team',
    'Makes another member the owner and you an admin. Only for an owner who signed in a short while ago.',
  )
  @Takes(TransferTeamRequest, 'The new owner.')
  @Responses(TeamIdResponse, 'It is transferred.')
  @Refuses(() => [
    new ValidationError('The `user_id` must be a valid UUID.'),
    new NotFoundError('Member'),
    new OwnerOnlyError(),
    new StepUpRequiredError(),
  ])
  async transferTeam(@CurrentPrincipal() principal: Principal, @Req() request: FastifyRequest, @Body() body: unknown) {
    const { user_id } = decodeBody(TransferTeamRequest, body, ['user_id']);
    const user = userOf(request);
    if (user !== undefined && !isRecent(user, this.clock.now())) throw new StepUpRequiredError();
    await this.members.transfer(principal, user_id.toLowerCase());
    return toResponse(TeamIdResponse, { id: principal.teamId });
  }
}

const memberResponse = (member: Member): MemberResponse => toResponse(MemberResponse, member);
