import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import type { TeamRole } from '#identity';
import { IsDefined, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { teamRoles } from '../../domain/team-rules.js';

const roleMessage = 'The `role` field must be "owner" | "admin" | "developer" | "viewer".';
const text = (field: string): { message: string } => ({ message: `The \`${field}\` field must be a string.` });
const short = (field: string): { message: string } => ({ message: `The \`${field}\` field is too long.` });

export class RenameTeamRequest {
  @ApiProperty({ type: String, maxLength: 80 })
  @IsDefined()
  @IsString(text('name'))
  name!: string;
}

export class InviteRequest {
  @ApiProperty({ type: String, format: 'email' })
  @IsDefined()
  @IsString(text('email'))
  @MaxLength(320, short('email'))
  email!: string;

  @ApiProperty({ enum: teamRoles })
  @IsDefined()
  @IsIn(teamRoles, { message: roleMessage })
  role!: TeamRole;
}

export class ChangeRoleRequest {
  @ApiProperty({ enum: teamRoles })
  @IsDefined()
  @IsIn(teamRoles, { message: roleMessage })
  role!: TeamRole;
}

export class TransferTeamRequest {
  @ApiProperty({ type: String, format: 'uuid' })
  @IsDefined()
  @IsUUID('all', { message: 'The `user_id` must be a valid UUID.' })
  user_id!: string;
}

export class InvitationTokenRequest {
  @ApiProperty({ type: String, maxLength: 200 })
  @IsDefined()
  @IsString(text('token'))
  @MaxLength(200, short('token'))
  token!: string;
}

export class AcceptInvitationRequest extends InvitationTokenRequest {
  @ApiPropertyOptional({ type: String, maxLength: 100 })
  @IsOptional()
  @IsString(text('name'))
  name?: string;

  @ApiPropertyOptional({ type: String, minLength: 10, maxLength: 128 })
  @IsOptional()
  @IsString(text('password'))
  password?: string;
}

export class MakeOwnerRequest extends InvitationTokenRequest {
  @ApiProperty({ type: String, format: 'email' })
  @IsDefined()
  @IsString(text('email'))
  @MaxLength(320, short('email'))
  email!: string;

  @ApiProperty({ type: String, maxLength: 100 })
  @IsDefined()
  @IsString(text('name'))
  name!: string;

  @ApiProperty({ type: String, minLength: 10, maxLength: 128 })
  @IsDefined()
  @IsString(text('password'))
  password!: string;
}
