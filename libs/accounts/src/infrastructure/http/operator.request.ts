import type { TeamRole } from '#identity';
import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { IsBoolean, IsDefined, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { teamRoles } from '../../domain/team-rules.js';

const text = (field: string): { message: string } => ({ message: `The \`${field}\` field must be a string.` });
const whole = (field: string): { message: string } => ({
  message: `The \`${field}\` field must be a whole number, or null for that of the configuration.`,
});
const maxQuota = 1_000_000_000;
const maxRate = 1_000_000;

export class CreateTeamRequest {
  @ApiProperty({ type: String, maxLength: 80 })
  @IsDefined()
  @IsString(text('name'))
  name!: string;
}

export class UpdateTeamRequest {
  @ApiPropertyOptional({ type: String, maxLength: 80 })
  @IsOptional()
  @IsString(text('name'))
  name?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxRate, nullable: true })
  @IsOptional()
  @IsInt(whole('requests_per_second'))
  @Min(1, whole('requests_per_second'))
  @Max(maxRate, whole('requests_per_second'))
  requests_per_second?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: maxQuota, nullable: true })
  @IsOptional()
  @IsInt(whole('daily_quota'))
  @Min(0, whole('daily_quota'))
  @Max(maxQuota, whole('daily_quota'))
  daily_quota?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: maxQuota, nullable: true })
  @IsOptional()
  @IsInt(whole('monthly_quota'))
  @Min(0, whole('monthly_quota'))
  @Max(maxQuota, whole('monthly_quota'))
  monthly_quota?: number | null;
}

export class CreateUserRequest {
  @ApiProperty({ type: String, format: 'email' })
  @IsDefined()
  @IsString(text('email'))
  @MaxLength(320, text('email'))
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

export class UpdateUserRequest {
  @ApiProperty({ type: Boolean })
  @IsDefined()
  @IsBoolean({ message: 'The `is_operator` field must be true or false.' })
  is_operator!: boolean;
}

export class PutMemberRequest {
  @ApiProperty({ type: String, format: 'email' })
  @IsDefined()
  @IsString(text('email'))
  @MaxLength(320, text('email'))
  email!: string;

  @ApiProperty({ enum: teamRoles })
  @IsDefined()
  @IsIn(teamRoles, { message: 'The `role` field must be "owner" | "admin" | "developer" | "viewer".' })
  role!: TeamRole;
}
