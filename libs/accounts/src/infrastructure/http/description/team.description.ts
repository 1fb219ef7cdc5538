import { MissingFieldError, NotFoundError, ValidationError } from '#kernel';
import { ApiDescription, idParameter, invalidId, pageErrors, wholeListParameters } from '#platform/api-description';
import { StepUpRequiredError } from '../../../domain/accounts-errors.js';
import { LastOwnerError, OwnerOnlyError, RoleTooHighError } from '../../../domain/team-rules.js';
import { createdAt, email, role, teamId, userId, wrongRole, wrongTeamName } from './team-examples.js';

const id = idParameter('Id of the user.', userId);
const member = { object: 'team_member', id: userId, email, name: 'Grace', role: 'developer', created_at: createdAt };
const unknownMember = new NotFoundError('Member');

export const apiDescription: ApiDescription = {
  tag: 'Team',
  tagDescription: 'The people of your team and their roles.',
  schemas: {
    TeamResponse: {
      description: 'Your team.',
      properties: {
        object: 'Always `team`.',
        id: 'Id of the team.',
        name: 'Its name.',
        created_at: 'When it was made.',
      },
    },
    TeamIdResponse: { description: 'The team.', properties: { object: 'Always `team`.', id: 'Id of the team.' } },
    MemberResponse: {
      description: 'A member of the team.',
      properties: {
        object: 'Always `team_member`.',
        id: 'Id of the user.',
        email: 'Address of the user.',
        name: 'Name of the user.',
        role,
        created_at: 'When the user joined the team.',
      },
    },
    MemberIdResponse: {
      description: 'The member.',
      properties: { object: 'Always `team_member`.', id: 'Id of the user.' },
    },
    RemovedMemberResponse: {
      description: 'The member who was removed.',
      properties: { object: 'Always `team_member`.', id: 'Id of the user.', deleted: 'Always true.' },
    },
    RenameTeamRequest: { description: 'The new name.', properties: { name: 'Name of the team, 1 to 80 characters.' } },
    ChangeRoleRequest: { description: 'The new role.', properties: { role } },
    TransferTeamRequest: { description: 'The new owner.', properties: { user_id: 'Id of another member.' } },
  },
  operations: {
    'GET /team': {
      operationId: 'getTeam',
      summary: 'Get your team',
      description: 'The team of the API key, or the one that `X-Team` names.',
      responses: {
        200: { description: 'The team.', example: { object: 'team', id: teamId, name: 'Shop', created_at: createdAt } },
      },
      errors: [],
    },
    'PATCH /team': {
      operationId: 'updateTeam',
      summary: 'Rename your team',
      description: 'Gives the team another name.',
      request: {
        description: 'The name.',
        examples: { name: { summary: 'Another name', value: { name: 'Web shop' } } },
      },
      responses: { 200: { description: 'It is renamed.', example: { object: 'team', id: teamId } } },
      errors: [new MissingFieldError('name'), wrongTeamName],
    },
    'GET /team/members': {
      operationId: 'listMembers',
      summary: 'List members',
      description: 'The people of the team.',
      parameters: wholeListParameters,
      responses: {
        200: { description: 'A page of members.', example: { object: 'list', has_more: false, data: [member] } },
      },
      errors: pageErrors,
    },
    'GET /team/members/{id}': {
      operationId: 'getMember',
      summary: 'Get a member',
      description: 'One member of the team.',
      parameters: { id },
      responses: { 200: { description: 'The member.', example: member } },
      errors: [invalidId('id'), unknownMember],
    },
    'PATCH /team/members/{id}': {
      operationId: 'updateMember',
      summary: 'Change the role of a member',
      description: 'Takes effect with the next request of the member. You can give and change roles up to your own.',
      parameters: { id },
      request: { description: 'The role.', examples: { role: { summary: 'Read only', value: { role: 'viewer' } } } },
      responses: { 200: { description: 'It is changed.', example: { object: 'team_member', id: userId } } },
      errors: [
        invalidId('id'),
        unknownMember,
        new MissingFieldError('role'),
        wrongRole,
        new RoleTooHighError(),
        new LastOwnerError(),
      ],
    },
    'DELETE /team/members/{id}': {
      operationId: 'removeMember',
      summary: 'Remove a member',
      description: 'Takes effect at once. Everybody may remove themselves; the last owner cannot leave.',
      parameters: { id },
      responses: {
        200: { description: 'Removed.', example: { object: 'team_member', id: userId, deleted: true } },
      },
      errors: [invalidId('id'), unknownMember, new RoleTooHighError(), new LastOwnerError()],
    },
    'POST /team/transfer': {
      operationId: 'transferTeam',
      summary: 'Transfer the team',
      description:
        'Makes another member the owner and you an admin. Only for an owner who signed in a short while ago.',
      request: {
        description: 'The new owner.',
        examples: { owner: { summary: 'Another owner', value: { user_id: userId } } },
      },
      responses: { 200: { description: 'It is transferred.', example: { object: 'team', id: teamId } } },
      errors: [
        new MissingFieldError('user_id'),
        new ValidationError('The `user_id` must be a valid UUID.'),
        unknownMember,
        new OwnerOnlyError(),
        new StepUpRequiredError(),
      ],
    },
  },
};
