import { Example, Flag, Shape, Text, Whole } from '#http/openapi';
import { Address, InviteRequest } from './team.request.js';

const quotaMessage = 'The `$property` field must be a whole number, or null for that of the configuration.';
const maxQuota = 1_000_000_000;
const maxRate = 1_000_000;

@Shape('The team.')
@Example('team', 'A team', { name: 'Shop' })
export class CreateTeamRequest {
  @Text('Name of the team, 1 to 64 characters without links.', { boundedByDomain: { maxLength: 64 } }) name!: string;
}

@Shape('What to change.')
@Example('limits', 'Limits', { requests_per_second: 50, monthly_quota: 1_000_000 })
export class UpdateTeamRequest {
  @Text('Name of the team.', { optional: true, boundedByDomain: { maxLength: 64 } }) name?: string;
  @Whole('API requests per second. Null: as configured.', {
    optional: true,
    minimum: 1,
    maximum: maxRate,
    nullable: true,
    message: quotaMessage,
  })
  requests_per_second?: number | null;
  @Whole('Messages per UTC day; 0: no quota. Null: as configured.', {
    optional: true,
    minimum: 0,
    maximum: maxQuota,
    nullable: true,
    message: quotaMessage,
  })
  daily_quota?: number | null;
  @Whole('Messages per calendar month; 0: no quota. Null: as configured.', {
    optional: true,
    minimum: 0,
    maximum: maxQuota,
    nullable: true,
    message: quotaMessage,
  })
  monthly_quota?: number | null;
}

@Shape('The user.')
@Example('user', 'A user', { email: 'grace@example.com', name: 'Grace', password: 'correct horse battery staple' })
export class CreateUserRequest {
  @Address('Address of the user. It counts as verified.') email!: string;
  @Text('Name of the user.', { boundedByDomain: { maxLength: 64 } }) name!: string;
  @Text('A password of 10 to 128 characters.', { boundedByDomain: { minLength: 10, maxLength: 128 } })
  password!: string;
}

@Shape('What to change.')
@Example('operator', 'An operator', { is_operator: true })
export class UpdateUserRequest {
  @Flag('Whether the user is an operator.', { message: 'The `is_operator` field must be true or false.' })
  is_operator!: boolean;
}

@Shape('The member.', { email: 'Address of a user.' })
@Example('owner', 'An owner', { email: 'grace@example.com', role: 'owner' })
export class PutMemberRequest extends InviteRequest {}
