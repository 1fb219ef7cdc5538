import { DomainError, MissingFieldError, NotFoundError, ValidationError } from '#kernel';
import { ApiDescription, invalidId } from '#platform/api-description';
import { WrongPasswordError } from '../../../application/confirm-user.use-case.js';
import { TooManyAttemptsError } from '../auth-limits.js';

const userId = '0196f3a1-6f0b-7c3e-9d11-2f4e8a7b5c60';
const teamId = '0196f3a1-7a2c-7d4f-8e22-3a5f9b8c6d71';
const sessionId = '0196f3a1-8b3d-7e5a-9f33-4b6a0c9d7e82';
const tooMany = new TooManyAttemptsError();

export const apiDescription: ApiDescription = {
  tag: 'Me',
  tagDescription: 'The signed-in user. These operations take the cookie of a session; an API key is refused.',
  schemas: {
    OwnTeamResponse: {
      description: 'A team of the user.',
      properties: {
        id: 'Id of the team, for the header `X-Team`.',
        name: 'Name of the team.',
        role: 'The role of the user in the team.',
        permissions: 'What the role includes.',
      },
    },
    OwnUserResponse: {
      description: 'The signed-in user.',
      properties: {
        id: 'Id of the user.',
        email: 'Address with which the user signs in.',
        name: 'Name of the user.',
        is_operator: 'Whether the user operates this installation.',
        has_second_factor: 'Whether a code is asked for when the user signs in.',
        is_confirmed: 'Whether dangerous actions are allowed now, without confirming again.',
      },
    },
    MeResponse: {
      description: 'The signed-in user and their teams.',
      properties: { object: 'Always `me`.', user: 'The user.', teams: 'The teams of the user, by name.' },
    },
    SessionResponse: {
      description: 'A session of the user. It never shows the token.',
      properties: {
        id: 'Id of the session.',
        created_at: 'When the user signed in.',
        last_seen_at: 'When the session was last extended, to the day.',
        address: 'Address from which the user signed in.',
        user_agent: 'The browser, as it named itself.',
        is_current: 'Whether it is the session of this request.',
      },
    },
    RevokedSessionResponse: {
      description: 'The session that was ended.',
      properties: { object: 'Always `session`.', id: 'Id of the session.', revoked: 'Always true.' },
    },
    RevokedSessionsResponse: {
      description: 'The sessions that were ended.',
      properties: { object: 'Always `sessions`.', revoked: 'How many sessions were ended.' },
    },
    ConfirmedResponse: {
      description: 'The confirmation.',
      properties: { object: 'Always `confirmation`.', is_confirmed: 'Always true.' },
    },
    ConfirmRequest: { description: 'The password again.', properties: { password: 'The password of the user.' } },
  },
  operations: {
    'GET /me': {
      operationId: 'getMe',
      summary: 'Get the signed-in user',
      description: 'The signed-in user, their teams, and what they may do in each.',
      responses: {
        200: {
          description: 'The user and the teams.',
          example: {
            object: 'me',
            user: {
              id: userId,
              email: 'ada@example.com',
              name: 'Ada',
              is_operator: true,
              has_second_factor: true,
              is_confirmed: false,
            },
            teams: [{ id: teamId, name: 'Shop', role: 'viewer', permissions: ['domains:read', 'emails:read'] }],
          },
        },
      },
      errors: [],
    },
    'POST /me/confirm': {
      operationId: 'confirmMe',
      summary: 'Confirm who you are',
      description: 'Allows dangerous actions for 15 minutes. A user without a password signs in again instead.',
      request: {
        description: 'The password.',
        examples: { password: { summary: 'The password', value: { password: 'correct horse battery staple' } } },
      },
      responses: {
        200: { description: 'Confirmed.', example: { object: 'confirmation', is_confirmed: true } },
      },
      errors: [
        new MissingFieldError('password'),
        new ValidationError('The `password` field must be a string.'),
        new WrongPasswordError(),
        new DomainError(tooMany.kind, tooMany.code, tooMany.message),
      ],
    },
    'GET /me/sessions': {
      operationId: 'listSessions',
      summary: 'List your sessions',
      description: 'Where you are signed in, newest first, at most 100.',
      responses: {
        200: {
          description: 'The sessions.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: sessionId,
                created_at: '2026-11-28 09:12:44.08+00',
                last_seen_at: '2026-11-30 20:39:59.54+00',
                address: '203.0.113.7',
                user_agent: 'Mozilla/5.0',
                is_current: true,
              },
            ],
          },
        },
      },
      errors: [],
    },
    'DELETE /me/sessions': {
      operationId: 'revokeOtherSessions',
      summary: 'End your other sessions',
      description: 'Ends all your sessions except the one of this request.',
      responses: { 200: { description: 'They are ended.', example: { object: 'sessions', revoked: 2 } } },
      errors: [],
    },
    'DELETE /me/sessions/{id}': {
      operationId: 'revokeSession',
      summary: 'End a session',
      description: 'Ends one of your sessions, at once and everywhere.',
      parameters: { id: { description: 'Id of the session.', example: sessionId } },
      responses: {
        200: { description: 'It is ended.', example: { object: 'session', id: sessionId, revoked: true } },
      },
      errors: [invalidId('id'), new NotFoundError('Session')],
    },
  },
};
