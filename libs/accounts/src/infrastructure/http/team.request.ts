import type { TeamRole } from '#identity';
import { maxMailboxLength } from '#kernel';
import { Example, Id, OneOf, PickOf, Shape, Text } from '#http/openapi';
import { MaxLength } from 'class-validator';
import { teamRoles } from '../../domain/team-rules.js';
import { userId } from './example-ids.js';

export const Address = (description: string): PropertyDecorator =>
  Text(description, {
    format: 'email',
    also: [MaxLength(320, { message: 'The `$property` field may have at most $constraint1 characters.' })],
  });

export const roleMessage = 'The `role` field must be "owner" | "admin" | "developer" | "viewer".';

@Shape('What changes.')
@Example('name', 'Another name', { name: 'Web shop' })
@Example('sender', 'A default sender', { default_from: 'Web shop <hello@acme.com>' })
export class TeamSettingsRequest {
  @Text('Name of the team, 1 to 64 characters without links.', { optional: true, boundedByDomain: { maxLength: 64 } })
  name?: string;
  @Text('Sender with which the forms of the dashboard begin; empty for none.', {
    optional: true,
    boundedByDomain: { maxLength: maxMailboxLength },
  })
  default_from?: string;
}

@Shape('Whom to invite.')
@Example('developer', 'A developer', { email: 'grace@example.com', role: 'developer' })
export class InviteRequest {
  @Address('Address of the person.') email!: string;
  @OneOf(teamRoles, 'What the member may do: `owner`, `admin`, `developer` or `viewer`.', { message: roleMessage })
  role!: TeamRole;
}

@Shape('The new role.')
@Example('role', 'Read only', { role: 'viewer' })
export class ChangeRoleRequest extends PickOf(InviteRequest, 'role') {}

@Shape('The new owner.')
@Example('owner', 'Another owner', { user_id: userId })
export class TransferTeamRequest {
  @Id('Id of another member.') user_id!: string;
}

@Shape('The link.')
@Example('link', 'The link', { token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA' })
export class InvitationTokenRequest {
  @Text('The token of the link.', { maxLength: 200 }) token!: string;
}

@Shape('The link; with a name and a password where there is no account yet.')
@Example('signedIn', 'Signed in', { token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA' })
@Example('newUser', 'A new account', {
  token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA',
  name: 'Grace',
  password: 'correct horse battery staple',
})
export class AcceptInvitationRequest extends InvitationTokenRequest {
  @Text('Name of the user.', { optional: true, boundedByDomain: { maxLength: 64 } }) name?: string;
  @Text('A password of 10 to 128 characters.', { optional: true, boundedByDomain: { minLength: 10, maxLength: 128 } })
  password?: string;
}

@Shape('The first owner.')
@Example('owner', 'The owner', {
  token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA',
  email: 'grace@example.com',
  name: 'Grace',
  password: 'correct horse battery staple',
})
export class MakeOwnerRequest extends InvitationTokenRequest {
  @Address('Address with which the owner signs in.') email!: string;
  @Text('Name of the owner.', { boundedByDomain: { maxLength: 64 } }) name!: string;
  @Text('A password of 10 to 128 characters.', { boundedByDomain: { minLength: 10, maxLength: 128 } })
  password!: string;
}
