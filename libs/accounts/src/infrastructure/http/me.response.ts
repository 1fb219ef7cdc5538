import { ApiProperty, Flag, Id, Moment, OneOf, Text, Texts } from '#platform/openapi';
import type { TeamRole } from '#identity';

export class OwnTeamResponse {
  @Id() id!: string;
  @Text() name!: string;
  @OneOf('owner', 'admin', 'developer', 'viewer') role!: TeamRole;
  @Texts() permissions!: readonly string[];
}

export class OwnUserResponse {
  @Id() id!: string;
  @Text() email!: string;
  @Text() name!: string;
  @Flag() is_operator!: boolean;
  @Flag() has_second_factor!: boolean;
  /** Whether dangerous actions are allowed now, without confirming again. */
  @Flag() is_confirmed!: boolean;
}

export class MeResponse {
  @OneOf('me') object!: 'me';
  @ApiProperty({ type: OwnUserResponse }) user!: OwnUserResponse;
  @ApiProperty({ type: [OwnTeamResponse] }) teams!: readonly OwnTeamResponse[];
}

export class SessionResponse {
  @Id() id!: string;
  @Moment() created_at!: string;
  @Moment() last_seen_at!: string;
  @Text() address!: string;
  @Text() user_agent!: string;
  @Flag() is_current!: boolean;
}

export class RevokedSessionResponse {
  @OneOf('session') object!: 'session';
  @Id() id!: string;
  @Flag() revoked!: boolean;
}

export class RevokedSessionsResponse {
  @OneOf('sessions') object!: 'sessions';
  @ApiProperty({ type: 'integer' }) revoked!: number;
}

export class ConfirmedResponse {
  @OneOf('confirmation') object!: 'confirmation';
  @Flag() is_confirmed!: boolean;
}
