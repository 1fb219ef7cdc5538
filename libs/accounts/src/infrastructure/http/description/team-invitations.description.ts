import { MissingFieldError, NotFoundError } from '#kernel';
import { ApiDescription, idParameter, invalidId, pageErrors, wholeListParameters } from '#platform/api-description';
import { AlreadyMemberError } from '../../../domain/invitation.js';
import { RoleTooHighError, TooManyMembersError } from '../../../domain/team-rules.js';
import { createdAt, email, invitationId, role, wrongAddress, wrongRole } from './team-examples.js';

const invitation = {
  object: 'team_invitation',
  id: invitationId,
  email,
  role: 'developer',
  created_at: createdAt,
  expires_at: '2026-12-05 09:12:44.08+00',
};

export const apiDescription: ApiDescription = {
  tag: 'Team',
  schemas: {
    InvitationResponse: {
      description: 'An invitation that was not accepted yet.',
      properties: {
        object: 'Always `team_invitation`.',
        id: 'Id of the invitation.',
        email: 'Address to which it was mailed.',
        role,
        created_at: 'When it was made.',
        expires_at: 'When its link stops working.',
      },
    },
    RevokedInvitationResponse: {
      description: 'The invitation that was revoked.',
      properties: { object: 'Always `team_invitation`.', id: 'Id of the invitation.', deleted: 'Always true.' },
    },
    InviteRequest: { description: 'Whom to invite.', properties: { email: 'Address of the person.', role } },
  },
  operations: {
    'POST /team/invitations': {
      operationId: 'inviteMember',
      summary: 'Invite somebody',
      description:
        'Mails a link that is valid for seven days. Only the mail has the link. An earlier invitation of the address stops working.',
      request: {
        description: 'Whom to invite.',
        examples: { developer: { summary: 'A developer', value: { email, role: 'developer' } } },
      },
      responses: { 201: { description: 'The mail is on its way.', example: invitation } },
      errors: [
        new MissingFieldError('email'),
        wrongAddress,
        wrongRole,
        new RoleTooHighError(),
        new AlreadyMemberError(),
        new TooManyMembersError(),
      ],
    },
    'GET /team/invitations': {
      operationId: 'listInvitations',
      summary: 'List invitations',
      description: 'The invitations that were not accepted yet, newest first.',
      parameters: wholeListParameters,
      responses: {
        200: {
          description: 'A page of invitations.',
          example: { object: 'list', has_more: false, data: [invitation] },
        },
      },
      errors: pageErrors,
    },
    'DELETE /team/invitations/{id}': {
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'Its link stops working at once.',
      parameters: { id: idParameter('Id of the invitation.', invitationId) },
      responses: {
        200: { description: 'Revoked.', example: { object: 'team_invitation', id: invitationId, deleted: true } },
      },
      errors: [invalidId('id'), new NotFoundError('Invitation')],
    },
  },
};
