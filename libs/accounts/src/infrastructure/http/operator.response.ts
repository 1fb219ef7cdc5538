import { Always, Flag, Id, Moment, ReferenceTo, Shape, Text, WholeOrNull } from '#http/openapi';
import { teamId, userId } from './example-ids.js';

@Shape('A team with the limits that the operator has set.')
export class OperatedTeamResponse {
  @Always('team') object!: 'team';
  @Id('Id of the team.', teamId) id!: string;
  @Text('Its name.', 'Shop') name!: string;
  @Moment('When it was made.', '2026-11-28 09:12:44.08+00') created_at!: string;
  @WholeOrNull('API requests per second. Null: as configured.', 50) requests_per_second!: number | null;
  @WholeOrNull('Messages per UTC day; 0: no quota. Null: as configured.') daily_quota!: number | null;
  @WholeOrNull('Messages per calendar month; 0: no quota. Null: as configured.', 1_000_000)
  monthly_quota!: number | null;
}

@Shape('The team and its first API key.')
export class CreatedTeamResponse {
  @Always('team') object!: 'team';
  @Id('Id of the team.', teamId) id!: string;
  /** Token of the first key, shown only here. */
  @Text('The key in clear, shown only here.', 're_Ab3dEf6h_J8kLm0pQ2rSt4vWx6yZaBcDe') token!: string;
}

@Shape('A user.')
export class UserResponse {
  @Always('user') object!: 'user';
  @Id('Id of the user.', userId) id!: string;
  @Text('Address with which the user signs in.', 'grace@example.com') email!: string;
  @Text('Name of the user.', 'Grace') name!: string;
  @Flag('Whether the address is verified.', true) is_verified!: boolean;
  @Flag('Whether the user is an operator.', false) is_operator!: boolean;
  @Moment('When the user was made.', '2026-11-28 09:12:44.08+00') created_at!: string;
}

@Shape('The user.')
export class UserIdResponse extends ReferenceTo('user', 'Id of the user.', userId) {}
