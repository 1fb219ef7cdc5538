import { MissingFieldError } from '#kernel';
import { ApiDescription } from '#platform/api-description';
import { InvalidOwnerLinkError } from '../../../application/make-owner.use-case.js';
import { AccountExistsError } from '../../../application/new-users.js';
import { InvalidInvitationError, OtherAddressError } from '../../../domain/invitation.js';
import { TooManyAttemptsError } from '../auth-limits.js';
import {
  email,
  linkToken,
  password,
  role,
  teamId,
  userId,
  wrongAddress,
  wrongPassword,
  wrongUserName,
} from './team-examples.js';

const token = 'The token of the link.';
const tooMany = new TooManyAttemptsError();

export const apiDescription: ApiDescription = {
  tag: 'Me',
  schemas: {
    SignInMethodsResponse: {
      description: 'How people sign in to this installation.',
      properties: {
        object: 'Always `sign_in_methods`.',
        sign_up: 'Who may create an account: people who were invited, everybody, or nobody.',
        providers: 'Services with whose account people may sign in: `google`, `github`.',
        needs_owner: 'Whether nobody has used the link of the first start yet.',
      },
    },
    MadeOwnerResponse: { description: 'The owner.', properties: { object: 'Always `user`.', id: 'Id of the user.' } },
    ShownInvitationResponse: {
      description: 'An invitation, for whoever has its link.',
      properties: {
        object: 'Always `team_invitation`.',
        team_name: 'Name of the team.',
        email: 'The invited address.',
        role,
        has_account: 'Whether there is an account with the address: then sign in to accept.',
      },
    },
    JoinedTeamResponse: { description: 'The team.', properties: { object: 'Always `team`.', id: 'Id of the team.' } },
    MakeOwnerRequest: {
      description: 'The first owner.',
      properties: {
        token,
        email: 'Address with which the owner signs in.',
        name: 'Name of the owner.',
        password: 'A password of 10 to 128 characters.',
      },
    },
    InvitationTokenRequest: { description: 'The link.', properties: { token } },
    AcceptInvitationRequest: {
      description: 'The link; with a name and a password where there is no account yet.',
      properties: { token, name: 'Name of the user.', password: 'A password of 10 to 128 characters.' },
    },
  },
  operations: {
    'GET /sign-in-methods': {
      operationId: 'getSignInMethods',
      summary: 'Get the ways to sign in',
      description: 'What the sign-in page shows. Needs no API key and no session.',
      responses: {
        200: {
          description: 'The ways.',
          example: { object: 'sign_in_methods', sign_up: 'invited', providers: ['github'], needs_owner: false },
        },
      },
      errors: [],
    },
    'POST /owner': {
      operationId: 'createOwner',
      summary: 'Make the first owner',
      description:
        'Makes the first user from the link that the program prints at its start: the owner of the first team and an operator. It works once.',
      request: {
        description: 'The link and the owner.',
        examples: { owner: { summary: 'The owner', value: { token: linkToken, email, name: 'Grace', password } } },
      },
      responses: { 201: { description: 'Made. Sign in now.', example: { object: 'user', id: userId } } },
      errors: [
        new MissingFieldError('token'),
        wrongAddress,
        wrongUserName,
        wrongPassword,
        new InvalidOwnerLinkError(),
        tooMany,
      ],
    },
    'POST /invitations/show': {
      operationId: 'showInvitation',
      summary: 'Look at an invitation',
      description: 'For whoever has the link of the mail. Needs no API key and no session.',
      request: { description: 'The link.', examples: { link: { summary: 'The link', value: { token: linkToken } } } },
      responses: {
        200: {
          description: 'The invitation.',
          example: { object: 'team_invitation', team_name: 'Shop', email, role: 'developer', has_account: false },
        },
      },
      errors: [new MissingFieldError('token'), new InvalidInvitationError(), tooMany],
    },
    'POST /invitations/accept': {
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Joins the team. Signed in with the invited address, only the token is needed; otherwise a name and a password make the account.',
      request: {
        description: 'The link, and the account where there is none yet.',
        examples: {
          signedIn: { summary: 'Signed in', value: { token: linkToken } },
          newUser: { summary: 'A new account', value: { token: linkToken, name: 'Grace', password } },
        },
      },
      responses: { 200: { description: 'Joined.', example: { object: 'team', id: teamId } } },
      errors: [
        new MissingFieldError('token'),
        new InvalidInvitationError(),
        new OtherAddressError(),
        new AccountExistsError(),
        wrongUserName,
        wrongPassword,
        tooMany,
      ],
    },
  },
};
