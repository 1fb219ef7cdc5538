import { ApiProperty, Flag, Id, Moment, OneOf, Text } from '#platform/openapi';

const WholeOrNull = (): PropertyDecorator => ApiProperty({ type: 'integer', nullable: true });

export class OperatedTeamResponse {
  @OneOf('team') object!: 'team';
  @Id() id!: string;
  @Text() name!: string;
  @Moment() created_at!: string;
  @WholeOrNull() requests_per_second!: number | null;
  @WholeOrNull() daily_quota!: number | null;
  @WholeOrNull() monthly_quota!: number | null;
}

export class CreatedTeamResponse {
  @OneOf('team') object!: 'team';
  @Id() id!: string;
  /** Token of the first key, shown only here. */
  @Text() token!: string;
}

export class UserResponse {
  @OneOf('user') object!: 'user';
  @Id() id!: string;
  @Text() email!: string;
  @Text() name!: string;
  @Flag() is_verified!: boolean;
  @Flag() is_operator!: boolean;
  @Moment() created_at!: string;
}

export class UserIdResponse {
  @OneOf('user') object!: 'user';
  @Id() id!: string;
}
