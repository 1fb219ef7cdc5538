import type { TeamRole } from '#identity';
import { mustBeString, tooLong } from '#http/server';
import { Example, Field, Id, OneOf, OptionalField, Shape } from '#http/openapi';
import { IsDefined, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { teamRoles } from '../../domain/team-rules.js';
import { userId } from './example-ids.js';

const roleMessage = 'The `role` field must be "owner" | "admin" | "developer" | "viewer".';

@Shape('The new name.')
@Example('name', 'Another name', { name: 'Web shop' })
export class RenameTeamRequest {
  @Field('Name of the team, 1 to 64 characters without links.', { maxLength: 64 })
  @IsDefined()
  @IsString(mustBeString)
  name!: string;
}

@Shape('Whom to invite.')
@Example('developer', 'A developer', { email: 'grace@example.com', role: 'developer' })
export class InviteRequest {
  @Field('Address of the person.', { format: 'email' })
  @IsDefined()
  @IsString(mustBeString)
  @MaxLength(320, tooLong)
  email!: string;

  @OneOf(teamRoles, 'What the member may do: `owner`, `admin`, `developer` or `viewer`.')
  @IsDefined()
  @IsIn(teamRoles, { message: roleMessage })
  role!: TeamRole;
}

@Shape('The new role.')
@Example('role', 'Read only', { role: 'viewer' })
export class ChangeRoleRequest {
  @OneOf(teamRoles, 'What the member may do: `owner`, `admin`, `developer` or `viewer`.')
  @IsDefined()
  @IsIn(teamRoles, { message: roleMessage })
  role!: TeamRole;
}

@Shape('The new owner.')
@Example('owner', 'Another owner', { user_id: userId })
export class TransferTeamRequest {
  @Id('Id of another member.')
  @IsDefined()
  @IsUUID('all', { message: 'The `user_id` must be a valid UUID.' })
  user_id!: string;
}

@Shape('The link.')
@Example('link', 'The link', { token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA' })
export class InvitationTokenRequest {
  @Field('The token of the link.', { maxLength: 200 })
  @IsDefined()
  @IsString(mustBeString)
  @MaxLength(200, tooLong)
  token!: string;
}

@Shape('The link; with a name and a password where there is no account yet.')
@Example('signedIn', 'Signed in', { token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA' })
@Example('newUser', 'A new account', {
  token: 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA',
  name: 'Grace',
  password: 'correct horse battery staple',
})
export class AcceptInvitationRequest extends InvitationTokenRequest {
  @OptionalField('Name of the user.', { maxLength: 64 })
  @IsOptional()
  @IsString(mustBeString)
  name?: string;

  @OptionalField('A password of 10 to 128 characters.', { minLength: 10, maxLength: 128 })
  @IsOptional()
  @IsString(mustBeString)
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
  @Field('Address with which the owner signs in.', { format: 'email' })
  @IsDefined()
  @IsString(mustBeString)
  @MaxLength(320, tooLong)
  email!: string;

  @Field('Name of the owner.', { maxLength: 64 })
  @IsDefined()
  @IsString(mustBeString)
  name!: string;

  @Field('A password of 10 to 128 characters.', { minLength: 10, maxLength: 128 })
  @IsDefined()
  @IsString(mustBeString)
  password!: string;
}
