import { MissingFieldError, NotFoundError, ValidationError } from '#kernel';
import { ApiDescription, idParameter, invalidId, pageErrors, wholeListParameters } from '#platform/api-description';
import { LastOperatorError } from '../../../application/operate-users.use-case.js';
import { AccountExistsError } from '../../../application/new-users.js';
import { StepUpRequiredError } from '../../../domain/accounts-errors.js';
import { OperatorOnlyError } from '../operator.guard.js';
import {
  createdAt,
  email,
  password,
  role,
  teamId,
  userId,
  wrongAddress,
  wrongPassword,
  wrongRole,
  wrongTeamName,
  wrongUserName,
} from './team-examples.js';

const operatorOnly = new OperatorOnlyError();
const stepUp = new StepUpRequiredError();
const id = idParameter('Id of the team.', teamId);
const userParameter = idParameter('Id of the user.', userId);
const configured = 'Null: as configured.';
const team = {
  object: 'team',
  id: teamId,
  name: 'Shop',
  created_at: createdAt,
  requests_per_second: 50,
  daily_quota: null,
  monthly_quota: 1_000_000,
};
const user = {
  object: 'user',
  id: userId,
  email,
  name: 'Grace',
  is_verified: true,
  is_operator: false,
  created_at: createdAt,
};
const limits = {
  requests_per_second: `API requests per second. ${configured}`,
  daily_quota: `Messages per UTC day; 0: no quota. ${configured}`,
  monthly_quota: `Messages per calendar month; 0: no quota. ${configured}`,
};
const wholeNumber = (field: string): ValidationError =>
  new ValidationError(`The \`${field}\` field must be a whole number, or null for that of the configuration.`);

export const apiDescription: ApiDescription = {
  tag: 'Operator',
  tagDescription:
    'The installation as a whole. For signed-in operators, and for `Authorization: Bearer` with the key in `OPERATOR_API_KEY`.',
  schemas: {
    OperatedTeamResponse: {
      description: 'A team with the limits that the operator has set.',
      properties: {
        object: 'Always `team`.',
        id: 'Id of the team.',
        name: 'Its name.',
        created_at: 'When it was made.',
        ...limits,
      },
    },
    CreatedTeamResponse: {
      description: 'The team and its first API key.',
      properties: { object: 'Always `team`.', id: 'Id of the team.', token: 'The key in clear, shown only here.' },
    },
    UserResponse: {
      description: 'A user.',
      properties: {
        object: 'Always `user`.',
        id: 'Id of the user.',
        email: 'Address with which the user signs in.',
        name: 'Name of the user.',
        is_verified: 'Whether the address is verified.',
        is_operator: 'Whether the user is an operator.',
        created_at: 'When the user was made.',
      },
    },
    UserIdResponse: { description: 'The user.', properties: { object: 'Always `user`.', id: 'Id of the user.' } },
    CreateTeamRequest: { description: 'The team.', properties: { name: 'Name of the team, 1 to 80 characters.' } },
    UpdateTeamRequest: { description: 'What to change.', properties: { name: 'Name of the team.', ...limits } },
    CreateUserRequest: {
      description: 'The user.',
      properties: {
        email: 'Address of the user. It counts as verified.',
        name: 'Name of the user.',
        password: 'A password of 10 to 128 characters.',
      },
    },
    UpdateUserRequest: {
      description: 'What to change.',
      properties: { is_operator: 'Whether the user is an operator.' },
    },
    PutMemberRequest: { description: 'The member.', properties: { email: 'Address of a user.', role } },
  },
  operations: {
    'POST /operator/teams': {
      operationId: 'operatorCreateTeam',
      summary: 'Make a team',
      description: 'Makes a team with one full-access API key.',
      request: { description: 'The team.', examples: { team: { summary: 'A team', value: { name: 'Shop' } } } },
      responses: {
        201: {
          description: 'The team and its key.',
          example: { object: 'team', id: teamId, token: 're_Ab3dEf6h_J8kLm0pQ2rSt4vWx6yZaBcDe' },
        },
      },
      errors: [operatorOnly, stepUp, new MissingFieldError('name'), wrongTeamName],
    },
    'GET /operator/teams': {
      operationId: 'operatorListTeams',
      summary: 'List all teams',
      description: 'All teams of the installation, newest first.',
      parameters: wholeListParameters,
      responses: {
        200: { description: 'A page of teams.', example: { object: 'list', has_more: false, data: [team] } },
      },
      errors: [operatorOnly, ...pageErrors],
    },
    'GET /operator/teams/{id}': {
      operationId: 'operatorGetTeam',
      summary: 'Get any team',
      description: 'A team and its limits.',
      parameters: { id },
      responses: { 200: { description: 'The team.', example: team } },
      errors: [operatorOnly, invalidId('id'), new NotFoundError('Team')],
    },
    'PATCH /operator/teams/{id}': {
      operationId: 'operatorUpdateTeam',
      summary: 'Change any team',
      description:
        'Renames a team, or sets its quotas and its rate limit. They take effect within seconds in all processes.',
      parameters: { id },
      request: {
        description: 'What to change.',
        examples: { limits: { summary: 'Limits', value: { requests_per_second: 50, monthly_quota: 1_000_000 } } },
      },
      responses: { 200: { description: 'It is changed.', example: { object: 'team', id: teamId } } },
      errors: [
        operatorOnly,
        stepUp,
        invalidId('id'),
        new NotFoundError('Team'),
        wrongTeamName,
        wholeNumber('requests_per_second'),
      ],
    },
    'POST /operator/teams/{id}/members': {
      operationId: 'operatorPutMember',
      summary: 'Put a user into a team',
      description: 'Adds a user to a team, or gives a member another role.',
      parameters: { id },
      request: {
        description: 'The member.',
        examples: { owner: { summary: 'An owner', value: { email, role: 'owner' } } },
      },
      responses: { 200: { description: 'The member.', example: { object: 'team_member', id: userId } } },
      errors: [
        operatorOnly,
        stepUp,
        invalidId('id'),
        new NotFoundError('Team'),
        new NotFoundError('User'),
        new MissingFieldError('email'),
        wrongAddress,
        wrongRole,
      ],
    },
    'POST /operator/users': {
      operationId: 'operatorCreateUser',
      summary: 'Make a user',
      description: 'Makes a user with a password. The address counts as verified by your word.',
      request: {
        description: 'The user.',
        examples: { user: { summary: 'A user', value: { email, name: 'Grace', password } } },
      },
      responses: { 201: { description: 'The user.', example: { object: 'user', id: userId } } },
      errors: [
        operatorOnly,
        stepUp,
        new MissingFieldError('email'),
        wrongAddress,
        wrongUserName,
        wrongPassword,
        new AccountExistsError(),
      ],
    },
    'GET /operator/users': {
      operationId: 'operatorListUsers',
      summary: 'List all users',
      description: 'All users of the installation.',
      parameters: wholeListParameters,
      responses: {
        200: { description: 'A page of users.', example: { object: 'list', has_more: false, data: [user] } },
      },
      errors: [operatorOnly, ...pageErrors],
    },
    'PATCH /operator/users/{id}': {
      operationId: 'operatorUpdateUser',
      summary: 'Make or unmake an operator',
      description: 'The last operator stays one.',
      parameters: { id: userParameter },
      request: {
        description: 'What to change.',
        examples: { operator: { summary: 'An operator', value: { is_operator: true } } },
      },
      responses: { 200: { description: 'It is changed.', example: { object: 'user', id: userId } } },
      errors: [
        operatorOnly,
        stepUp,
        invalidId('id'),
        new NotFoundError('User'),
        new MissingFieldError('is_operator'),
        new ValidationError('The `is_operator` field must be true or false.'),
        new LastOperatorError(),
      ],
    },
    'GET /operator/audit': {
      operationId: 'operatorListAudit',
      summary: 'List all changes',
      description: 'The audit log of the whole installation, newest first.',
      parameters: wholeListParameters,
      responses: { 200: { description: 'A page of changes.', example: { object: 'list', has_more: false, data: [] } } },
      errors: [operatorOnly, ...pageErrors],
    },
  },
};
