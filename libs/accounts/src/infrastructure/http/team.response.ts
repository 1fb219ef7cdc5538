import type { TeamRole } from '#identity';
import {
  Always,
  Deleted,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
} from '#http/openapi';
import { invitationId, teamId, userId } from './example-ids.js';

@Shape('Your team.')
export class TeamResponse {
  @Always('team') object!: 'team';
  @Id('Id of the team.', teamId) id!: string;
  @Text('Its name.', 'Shop') name!: string;
  @TextOrNull('Sender with which the forms of the dashboard begin.', 'Shop <hello@acme.com>')
  default_from!: string | null;
  @Moment('When it was made.', '2026-11-28 09:12:44.08+00') created_at!: string;
}

@Shape('The team.')
export class TeamIdResponse extends ReferenceTo('team', 'Id of the team.', teamId) {}

@Shape('A member of the team.')
export class MemberResponse {
  @Always('team_member') object!: 'team_member';
  @Id('Id of the user.', userId) id!: string;
  @Text('Address of the user.', 'grace@example.com') email!: string;
  @Text('Name of the user.', 'Grace') name!: string;
  @OneOf(
    ['owner', 'admin', 'developer', 'viewer'],
    'What the member may do: `owner`, `admin`, `developer` or `viewer`.',
    'developer',
  )
  role!: TeamRole;
  @TextOrNull('Id of the sign-in provider whose groups gave the membership. Null where a person did.')
  provider!: string | null;
  @Moment('When the user joined the team.', '2026-11-28 09:12:44.08+00') created_at!: string;
}

@Shape('The member.')
export class MemberIdResponse extends ReferenceTo('team_member', 'Id of the user.', userId) {}

@Shape('The member who was removed.')
export class RemovedMemberResponse extends Deleted(MemberIdResponse) {}

@Shape('An invitation that was not accepted yet.')
export class InvitationResponse {
  @Always('team_invitation') object!: 'team_invitation';
  @Id('Id of the invitation.', invitationId) id!: string;
  @Text('Address to which it was mailed.', 'grace@example.com') email!: string;
  @OneOf(
    ['owner', 'admin', 'developer', 'viewer'],
    'What the member may do: `owner`, `admin`, `developer` or `viewer`.',
    'developer',
  )
  role!: TeamRole;
  @Moment('When it was made.', '2026-11-28 09:12:44.08+00') created_at!: string;
  @Moment('When its link stops working.', '2026-12-05 09:12:44.08+00') expires_at!: string;
  @IdOrNull('The grant of the tool that invited; the invitation ends with it. Null where no tool did.')
  oauth_grant_id!: string | null;
}

@Shape('The invitation that was revoked.')
export class RevokedInvitationResponse {
  @Always('team_invitation') object!: 'team_invitation';
  @Id('Id of the invitation.', invitationId) id!: string;
  @Always(true) deleted!: true;
}

@Shape('An invitation, for whoever has its link.')
export class ShownInvitationResponse {
  @Always('team_invitation') object!: 'team_invitation';
  @Text('Name of the team.', 'Shop') team_name!: string;
  @Text('The invited address.', 'grace@example.com') email!: string;
  @OneOf(
    ['owner', 'admin', 'developer', 'viewer'],
    'What the member may do: `owner`, `admin`, `developer` or `viewer`.',
    'developer',
  )
  role!: TeamRole;
  @Flag('Whether to sign in to accept: there is an account with the address, or it uses no password here.', false)
  has_account!: boolean;
}

@Shape('The team.')
export class JoinedTeamResponse extends ReferenceTo('team', 'Id of the team.', teamId) {}

@Shape('A service with whose account people may sign in.')
export class SignInProviderResponse {
  @Text('Its id.', 'keycloak') id!: string;
  @Text('Its name.', 'Acme') name!: string;
  @TextOrNull('URL of its logo.', 'https://id.acme.com/logo.svg') logo!: string | null;
}

@Shape('How people sign in to this installation.')
export class SignInMethodsResponse {
  @Always('sign_in_methods') object!: 'sign_in_methods';
  @OneOf(
    ['invited', 'open', 'closed'],
    'Who may create an account: people who were invited, everybody, or nobody.',
    'invited',
  )
  sign_up!: string;
  @Flag('Whether a password counts. Some domains may go without one even so.', true) password!: boolean;
  @Texts('Ids of the services with whose account people may sign in.', ['github'])
  providers!: readonly string[];
  @ListOf(SignInProviderResponse, 'The same services, as the sign-in page shows them.')
  provider_buttons!: readonly SignInProviderResponse[];
  @Flag('Whether nobody has used the link of the first start yet.', false) needs_owner!: boolean;
}

@Shape('The owner.')
export class MadeOwnerResponse extends ReferenceTo('user', 'Id of the user.', userId) {}
