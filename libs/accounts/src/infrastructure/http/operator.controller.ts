import { AuditEntryResponse, auditEntryResponse, AuditLog, AuditTrail } from '#audit';
import { checkDisplayName, MissingFieldError, NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { decodeBody, listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import type { TeamLimitSettings } from '#rate-limit';
import { Body, Controller, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { StepUpRequiredError } from '../../domain/accounts-errors.js';
import { checkPassword, parseUserAddress } from '../../domain/invitation.js';
import { AccountExistsError } from '../../application/new-users.js';
import { OperatedTeam, OperateTeams } from '../../application/operate-teams.use-case.js';
import { LastOperatorError, OperateUsers } from '../../application/operate-users.use-case.js';
import { ListedUser } from '../../application/ports/users.port.js';
import { teamId, userId } from './example-ids.js';
import { CurrentOperator, OperatorGuard, OperatorOnlyError } from './operator.guard.js';
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
@Describes(
  'Operator',
  'The installation as a whole. For signed-in operators, and for `Authorization: Bearer` with the key ' +
    'in `OPERATOR_API_KEY`.',
)
@PathId('id', 'Id of the team.', teamId)
@UseGuards(OperatorGuard)
export class OperatorController {
  constructor(
    private readonly teams: OperateTeams,
    private readonly users: OperateUsers,
    private readonly audit: AuditLog,
    private readonly trail: AuditTrail,
  ) {}

  @Post('teams')
  @Operation('Make a team', 'Makes a team with one full-access API key.')
  @Takes(CreateTeamRequest, 'The team.')
  @Responses(CreatedTeamResponse, 'The team and its key.', { status: 201 })
  @Refuses(() => [new OperatorOnlyError(), new StepUpRequiredError(), () => checkDisplayName('')])
  async operatorCreateTeam(@CurrentOperator() operator: Operator, @Body() body: unknown): Promise<CreatedTeamResponse> {
    const { name } = decodeBody(CreateTeamRequest, body, ['name']);
    const { team, token } = await this.teams.create(name);
    await this.record(operator, 'operator.teams.create', { teamId: team.id, after: { name: team.name } });
    return { object: 'team', id: team.id, token };
  }

  @Get('teams')
  @Operation('List all teams', 'All teams of the installation, or those that a search finds, newest first.')
  @QueryParameter('search', 'Only teams with this text in their name, in any case.', { maxLength: 320 }, 'acme')
  @ResponsesList(OperatedTeamResponse, 'A page of teams.')
  @Refuses(() => [new OperatorOnlyError(), () => searchIn([])])
  async operatorListTeams(@Query() query: Readonly<Record<string, unknown>>) {
    return listResponse(await this.teams.list(parsePageRequest(query), searchIn(query.search)), teamResponse);
  }

  @Get('teams/:id')
  @Operation('Get any team', 'A team and its limits.')
  @Responses(OperatedTeamResponse, 'The team.')
  @Refuses(() => [new OperatorOnlyError(), new NotFoundError('Team')])
  async operatorGetTeam(@Param('id') id: string) {
    return teamResponse(await this.teams.find(id));
  }

  @Patch('teams/:id')
  @Operation(
    'Change any team',
    'Renames a team, or sets its quotas and its rate limit. They take effect within seconds in all processes.',
  )
  @Takes(UpdateTeamRequest, 'What to change.')
  @Responses(TeamIdResponse, 'It is changed.')
  @Refuses(() => [
    new OperatorOnlyError(),
    new StepUpRequiredError(),
    new NotFoundError('Team'),
    () => checkDisplayName(''),
    new ValidationError(
      'The `requests_per_second` field must be a whole number, or null for that of the configuration.',
    ),
  ])
  async operatorUpdateTeam(@CurrentOperator() operator: Operator, @Param('id') teamId: string, @Body() body: unknown) {
    const { name } = decodeBody(UpdateTeamRequest, body);
    const before = teamResponse(await this.teams.find(teamId));
    await this.teams.change(teamId, { name, ...limitsIn(body) });
    const after = teamResponse(await this.teams.find(teamId));
    await this.record(operator, 'operator.teams.update', { teamId, before, after });
    return toResponse(TeamIdResponse, { id: teamId });
  }

  @Post('teams/:id/members')
  @Operation('Put a user into a team', 'Adds a user to a team, or gives a member another role.')
  @Takes(PutMemberRequest, 'The member.')
  @Responses(MemberIdResponse, 'The member.')
  @Refuses(() => [
    new OperatorOnlyError(),
    new StepUpRequiredError(),
    new NotFoundError('Team'),
    new NotFoundError('User'),
    new MissingFieldError('email'),
    () => parseUserAddress('nobody'),
    new ValidationError('The `role` field must be "owner" | "admin" | "developer" | "viewer".'),
  ])
  async operatorPutMember(@CurrentOperator() operator: Operator, @Param('id') teamId: string, @Body() body: unknown) {
    const { email, role } = decodeBody(PutMemberRequest, body, ['email', 'role']);
    const userId = await this.teams.putMember(teamId, email, role);
    await this.record(operator, 'operator.teams.members', { teamId, targetId: userId, after: { email, role } });
    return toResponse(MemberIdResponse, { id: userId });
  }

  @Post('users')
  @Operation('Make a user', 'Makes a user with a password. The address counts as verified.')
  @Takes(CreateUserRequest, 'The user.')
  @Responses(UserIdResponse, 'The user.', { status: 201 })
  @Refuses(() => [
    new OperatorOnlyError(),
    new StepUpRequiredError(),
    new MissingFieldError('email'),
    () => parseUserAddress('nobody'),
    () => checkDisplayName(''),
    () => checkPassword(''),
    new AccountExistsError(),
  ])
  async operatorCreateUser(@CurrentOperator() operator: Operator, @Body() body: unknown) {
    const user = decodeBody(CreateUserRequest, body, ['email', 'name', 'password']);
    const id = await this.users.create(user);
    await this.record(operator, 'operator.users.create', {
      targetId: id,
      after: { email: user.email, name: user.name },
    });
    return toResponse(UserIdResponse, { id });
  }

  @Get('users')
  @Operation('List all users', 'All users of the installation.')
  @ResponsesList(UserResponse, 'A page of users.')
  @Refuses(() => [new OperatorOnlyError()])
  async operatorListUsers(@Query() query: object) {
    return listResponse(await this.users.list(parsePageRequest(query)), userResponse);
  }

  @Patch('users/:id')
  @Operation('Grant or revoke operator rights', 'The last operator stays one.')
  @PathId('id', 'Id of the user.', userId)
  @Takes(UpdateUserRequest, 'What to change.')
  @Responses(UserIdResponse, 'It is changed.')
  @Refuses(() => [
    new OperatorOnlyError(),
    new StepUpRequiredError(),
    new NotFoundError('User'),
    new ValidationError('The `is_operator` field must be true or false.'),
    new LastOperatorError(),
  ])
  async operatorUpdateUser(@CurrentOperator() operator: Operator, @Param('id') userId: string, @Body() body: unknown) {
    const { is_operator } = decodeBody(UpdateUserRequest, body, ['is_operator']);
    await this.users.setOperator(userId, is_operator);
    await this.record(operator, 'operator.users.update', { targetId: userId, after: { is_operator } });
    return toResponse(UserIdResponse, { id: userId });
  }

  @Get('audit')
  @Operation('List all changes', 'The audit log of the whole installation, newest first.')
  @ResponsesList(AuditEntryResponse, 'A page of changes.', { example: [] })
  @Refuses(() => [new OperatorOnlyError()])
  async operatorListAudit(@Query() query: object) {
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

const teamResponse = ({ team, limits }: OperatedTeam): OperatedTeamResponse =>
  toResponse(OperatedTeamResponse, { ...team, ...limits });

const userResponse = (user: ListedUser): UserResponse => toResponse(UserResponse, user);

function searchIn(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new ValidationError('The `search` parameter must be given once.');
}
