import { AuditEntryResponse, auditEntryResponse, AuditTrail, ListAudit } from '#audit';
import { parsePageRequest } from '#kernel';
import type { TeamLimitSettings } from '#rate-limit';
import { decodeBody, idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { OperatedTeam, OperateTeams } from '../../application/operate-teams.use-case.js';
import { OperateUsers } from '../../application/operate-users.use-case.js';
import { ListedUser } from '../../application/ports/users.port.js';
import { CurrentOperator, OperatorGuard } from './operator.guard.js';
import type { Operator } from './operator.guard.js';
import {
  CreateTeamRequest,
  CreateUserRequest,
  PutMemberRequest,
  UpdateTeamRequest,
  UpdateUserRequest,
} from './operator.request.js';
import { CreatedTeamResponse, OperatedTeamResponse, UserIdResponse, UserResponse } from './operator.response.js';
import { MemberIdResponse, TeamIdResponse } from './team.response.js';

/** The installation as a whole. It has its own guard, so its changes are recorded here and not by `PrincipalGuard`. */
@Controller('operator')
@UseGuards(OperatorGuard)
@DescribedBy(() => import('./description/operator.description.js'))
export class OperatorController {
  constructor(
    private readonly teams: OperateTeams,
    private readonly users: OperateUsers,
    private readonly audit: ListAudit,
    private readonly trail: AuditTrail,
  ) {}

  @Post('teams')
  @Takes(CreateTeamRequest)
  @Responses(CreatedTeamResponse, 201)
  async createTeam(@CurrentOperator() operator: Operator, @Body() body: unknown): Promise<CreatedTeamResponse> {
    const { name } = decodeBody(CreateTeamRequest, body, ['name']);
    const { team, token } = await this.teams.create(name);
    await this.record(operator, 'operator.teams.create', { teamId: team.id, after: { name: team.name } });
    return { object: 'team', id: team.id, token };
  }

  @Get('teams')
  @ResponsesList(OperatedTeamResponse)
  async listTeams(@Query() query: object): Promise<ListResponse<OperatedTeamResponse>> {
    return listResponse(await this.teams.list(parsePageRequest(query)), teamResponse);
  }

  @Get('teams/:id')
  @Responses(OperatedTeamResponse)
  async findTeam(@Param('id') id: string): Promise<OperatedTeamResponse> {
    return teamResponse(await this.teams.find(idFromPath('id', id)));
  }

  @Patch('teams/:id')
  @Takes(UpdateTeamRequest)
  @Responses(TeamIdResponse)
  async changeTeam(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<TeamIdResponse> {
    const teamId = idFromPath('id', id);
    const { name } = decodeBody(UpdateTeamRequest, body);
    const before = teamResponse(await this.teams.find(teamId));
    await this.teams.change(teamId, { name, ...limitsIn(body) });
    const after = teamResponse(await this.teams.find(teamId));
    await this.record(operator, 'operator.teams.update', { teamId, before, after });
    return { object: 'team', id: teamId };
  }

  @Post('teams/:id/members')
  @HttpCode(200)
  @Takes(PutMemberRequest)
  @Responses(MemberIdResponse)
  async putMember(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<MemberIdResponse> {
    const teamId = idFromPath('id', id);
    const { email, role } = decodeBody(PutMemberRequest, body, ['email', 'role']);
    const userId = await this.teams.putMember(teamId, email, role);
    await this.record(operator, 'operator.teams.members', { teamId, targetId: userId, after: { email, role } });
    return { object: 'team_member', id: userId };
  }

  @Post('users')
  @Takes(CreateUserRequest)
  @Responses(UserIdResponse, 201)
  async createUser(@CurrentOperator() operator: Operator, @Body() body: unknown): Promise<UserIdResponse> {
    const user = decodeBody(CreateUserRequest, body, ['email', 'name', 'password']);
    const id = await this.users.create(user);
    await this.record(operator, 'operator.users.create', {
      targetId: id,
      after: { email: user.email, name: user.name },
    });
    return { object: 'user', id };
  }

  @Get('users')
  @ResponsesList(UserResponse)
  async listUsers(@Query() query: object): Promise<ListResponse<UserResponse>> {
    return listResponse(await this.users.list(parsePageRequest(query)), userResponse);
  }

  @Patch('users/:id')
  @Takes(UpdateUserRequest)
  @Responses(UserIdResponse)
  async changeUser(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<UserIdResponse> {
    const userId = idFromPath('id', id);
    const { is_operator } = decodeBody(UpdateUserRequest, body, ['is_operator']);
    await this.users.setOperator(userId, is_operator);
    await this.record(operator, 'operator.users.update', { targetId: userId, after: { is_operator } });
    return { object: 'user', id: userId };
  }

  @Get('audit')
  @ResponsesList(AuditEntryResponse)
  async listAudit(@Query() query: object): Promise<ListResponse<AuditEntryResponse>> {
    return listResponse(await this.audit.ofAll(parsePageRequest(query)), auditEntryResponse);
  }

  private record(
    { actor, address }: Operator,
    action: string,
    change: { teamId?: string; targetId?: string; before?: unknown; after?: unknown },
  ): Promise<void> {
    const { teamId = null, targetId = teamId, ...changed } = change;
    return this.trail.record({ teamId, targetId, action, actor, address, ...changed });
  }
}

/** Null means that of the configuration, so it does not count as absent here. */
function limitsIn(body: unknown): Partial<TeamLimitSettings> {
  const decoded = decodeBody(UpdateTeamRequest, body);
  const of = (field: 'requests_per_second' | 'daily_quota' | 'monthly_quota'): number | null | undefined =>
    (body as Record<string, unknown>)[field] === null ? null : decoded[field];
  return {
    requestsPerSecond: of('requests_per_second'),
    dailyQuota: of('daily_quota'),
    monthlyQuota: of('monthly_quota'),
  };
}

function teamResponse({ team, limits }: OperatedTeam): OperatedTeamResponse {
  return {
    object: 'team',
    id: team.id,
    name: team.name,
    created_at: timestamp(team.createdAt),
    requests_per_second: limits.requestsPerSecond,
    daily_quota: limits.dailyQuota,
    monthly_quota: limits.monthlyQuota,
  };
}

function userResponse({ id, email, name, isVerified, isOperator, createdAt }: ListedUser): UserResponse {
  const created_at = timestamp(createdAt);
  return { object: 'user', id, email, name, is_verified: isVerified, is_operator: isOperator, created_at };
}
