import { CurrentPrincipal, ManageTeams, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock, parsePageRequest } from '#kernel';
import { decodeBody, idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ManageMembers } from '../../application/manage-members.use-case.js';
import { Member } from '../../application/ports/memberships.port.js';
import { StepUpRequiredError } from '../../domain/accounts-errors.js';
import { isRecent } from '../../domain/user.js';
import { userOf } from './request-users.js';
import { ChangeRoleRequest, RenameTeamRequest, TransferTeamRequest } from './team.request.js';
import {
  MemberIdResponse,
  MemberResponse,
  RemovedMemberResponse,
  TeamIdResponse,
  TeamResponse,
} from './team.response.js';

@Controller('team')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/team.description.js'))
export class TeamController {
  constructor(
    private readonly teams: ManageTeams,
    private readonly members: ManageMembers,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('team:read')
  @Responses(TeamResponse)
  async read(@CurrentPrincipal() { teamId }: Principal): Promise<TeamResponse> {
    const { id, name, createdAt } = await this.teams.find(teamId);
    return { object: 'team', id, name, created_at: timestamp(createdAt) };
  }

  @Patch()
  @Requires('team:write')
  @Takes(RenameTeamRequest)
  @Responses(TeamIdResponse)
  async rename(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<TeamIdResponse> {
    await this.teams.rename(teamId, decodeBody(RenameTeamRequest, body, ['name']).name);
    return { object: 'team', id: teamId };
  }

  @Get('members')
  @Requires('team:read')
  @ResponsesList(MemberResponse)
  async list(@CurrentPrincipal() { teamId }: Principal, @Query() query: object): Promise<ListResponse<MemberResponse>> {
    return listResponse(await this.members.list(teamId, parsePageRequest(query)), memberResponse);
  }

  @Get('members/:id')
  @Requires('team:read')
  @Responses(MemberResponse)
  async find(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<MemberResponse> {
    return memberResponse(await this.members.find(teamId, idFromPath('id', id)));
  }

  @Patch('members/:id')
  @Requires('team:write')
  @Takes(ChangeRoleRequest)
  @Responses(MemberIdResponse)
  async changeRole(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<MemberIdResponse> {
    const userId = idFromPath('id', id);
    await this.members.changeRole(principal, userId, decodeBody(ChangeRoleRequest, body, ['role']).role);
    return { object: 'team_member', id: userId };
  }

  /** Viewers may remove themselves, so the use case asks for the permission where it is somebody else. */
  @Delete('members/:id')
  @Requires('team:read')
  @Responses(RemovedMemberResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedMemberResponse> {
    const userId = idFromPath('id', id);
    await this.members.remove(principal, userId);
    return { object: 'team_member', id: userId, deleted: true };
  }

  @Post('transfer')
  @Requires('team:write')
  @HttpCode(200)
  @Takes(TransferTeamRequest)
  @Responses(TeamIdResponse)
  async transfer(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<TeamIdResponse> {
    const { user_id } = decodeBody(TransferTeamRequest, body, ['user_id']);
    const user = userOf(request);
    if (user !== undefined && !isRecent(user, this.clock.now())) throw new StepUpRequiredError();
    await this.members.transfer(principal, user_id.toLowerCase());
    return { object: 'team', id: principal.teamId };
  }
}

function memberResponse({ id, email, name, role, createdAt }: Member): MemberResponse {
  return { object: 'team_member', id, email, name, role, created_at: timestamp(createdAt) };
}
