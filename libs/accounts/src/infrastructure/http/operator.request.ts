import type { TeamRole } from '#identity';
import { mustBeString, tooLong } from '#http/server';
import { Example, Field, Flag, OneOf, OptionalField, Shape } from '#http/openapi';
import { IsBoolean, IsDefined, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { teamRoles } from '../../domain/team-rules.js';

const whole = (field: string): { message: string } => ({
  message: `The \`${field}\` field must be a whole number, or null for that of the configuration.`,
});
const maxQuota = 1_000_000_000;
const maxRate = 1_000_000;

@Shape('The team.')
@Example('team', 'A team', { name: 'Shop' })
export class CreateTeamRequest {
  @Field('Name of the team, 1 to 64 characters without links.', { maxLength: 64 })
  @IsDefined()
  @IsString(mustBeString)
  name!: string;
}

@Shape('What to change.')
@Example('limits', 'Limits', { requests_per_second: 50, monthly_quota: 1_000_000 })
export class UpdateTeamRequest {
  @OptionalField('Name of the team.', { maxLength: 64 })
  @IsOptional()
  @IsString(mustBeString)
  name?: string;

  @OptionalField('API requests per second. Null: as configured.', {
    type: 'integer',
    minimum: 1,
    maximum: maxRate,
    nullable: true,
  })
  @IsOptional()
  @IsInt(whole('requests_per_second'))
  @Min(1, whole('requests_per_second'))
  @Max(maxRate, whole('requests_per_second'))
  requests_per_second?: number | null;

  @OptionalField('Messages per UTC day; 0: no quota. Null: as configured.', {
    type: 'integer',
    minimum: 0,
    maximum: maxQuota,
    nullable: true,
  })
  @IsOptional()
  @IsInt(whole('daily_quota'))
  @Min(0, whole('daily_quota'))
  @Max(maxQuota, whole('daily_quota'))
  daily_quota?: number | null;

  @OptionalField('Messages per calendar month; 0: no quota. Null: as configured.', {
    type: 'integer',
    minimum: 0,
    maximum: maxQuota,
    nullable: true,
  })
  @IsOptional()
  @IsInt(whole('monthly_quota'))
  @Min(0, whole('monthly_quota'))
  @Max(maxQuota, whole('monthly_quota'))
  monthly_quota?: number | null;
}

@Shape('The user.')
@Example('user', 'A user', { email: 'grace@example.com', name: 'Grace', password: 'correct horse battery staple' })
export class CreateUserRequest {
  @Field('Address of the user. It counts as verified.', { format: 'email' })
  @IsDefined()
  @IsString(mustBeString)
  @MaxLength(320, tooLong)
  email!: string;

  @Field('Name of the user.', { maxLength: 64 })
  @IsDefined()
  @IsString(mustBeString)
  name!: string;

  @Field('A password of 10 to 128 characters.', { minLength: 10, maxLength: 128 })
  @IsDefined()
  @IsString(mustBeString)
  password!: string;
}

@Shape('What to change.')
@Example('operator', 'An operator', { is_operator: true })
export class UpdateUserRequest {
  @Flag('Whether the user is an operator.')
  @IsDefined()
  @IsBoolean({ message: 'The `is_operator` field must be true or false.' })
  is_operator!: boolean;
}

@Shape('The member.')
@Example('owner', 'An owner', { email: 'grace@example.com', role: 'owner' })
export class PutMemberRequest {
  @Field('Address of a user.', { format: 'email' })
  @IsDefined()
  @IsString(mustBeString)
  @MaxLength(320, tooLong)
  email!: string;

  @OneOf(teamRoles, 'What the member may do: `owner`, `admin`, `developer` or `viewer`.')
  @IsDefined()
  @IsIn(teamRoles, { message: 'The `role` field must be "owner" | "admin" | "developer" | "viewer".' })
  role!: TeamRole;
}
