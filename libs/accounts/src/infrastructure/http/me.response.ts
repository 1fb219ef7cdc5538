import type { TeamRole } from '#identity';
import { Always, Field, Flag, Id, ListOf, Moment, OneOf, Shape, Text, Texts, Whole } from '#http/openapi';
import { sessionId, teamId, userId } from './example-ids.js';

@Shape('A team of the user.')
export class OwnTeamResponse {
  @Id('Id of the team, for the header `X-Team`.', teamId) id!: string;
  @Text('Name of the team.', 'Shop') name!: string;
  @OneOf(['owner', 'admin', 'developer', 'viewer'], 'The role of the user in the team.', 'viewer') role!: TeamRole;
  @Texts('What the role includes.', ['domains:read', 'emails:read']) permissions!: readonly string[];
}

@Shape('The signed-in user.')
export class OwnUserResponse {
  @Id('Id of the user.', userId) id!: string;
  @Text('Address with which the user signs in.', 'ada@example.com') email!: string;
  @Text('Name of the user.', 'Ada') name!: string;
  @Flag('Whether the user operates this installation.', true) is_operator!: boolean;
  @Flag('Whether a code is asked for when the user signs in.', true) has_second_factor!: boolean;
  /** Whether dangerous actions are allowed now, without confirming again. */
  @Flag('Whether dangerous actions are allowed now, without confirming again.', false) is_confirmed!: boolean;
}

@Shape('A port for programs that send by SMTP.')
export class SmtpPortResponse {
  @Whole('Number of the port.', 587) port!: number;
  @Flag('Whether TLS begins at once; otherwise with STARTTLS.', false) implicit_tls!: boolean;
}

@Shape('What users must know about this installation.')
export class OwnInstallationResponse {
  @Flag('Whether no mail leaves the machine: all of it goes to the test inbox.', false) is_sandbox!: boolean;
  @ListOf(SmtpPortResponse, 'The open SMTP ports.') smtp_ports!: readonly SmtpPortResponse[];
}

@Shape('The signed-in user and their teams.')
export class MeResponse {
  @Always('me') object!: 'me';
  @Field('The user.', { type: OwnUserResponse }) user!: OwnUserResponse;
  @ListOf(OwnTeamResponse, 'The teams of the user, by name.') teams!: readonly OwnTeamResponse[];
  @Field('The installation.', { type: OwnInstallationResponse }) installation!: OwnInstallationResponse;
}

@Shape('A session of the user. It never shows the token.')
export class SessionResponse {
  @Id('Id of the session.', sessionId) id!: string;
  @Moment('When the user signed in.', '2026-11-28 09:12:44.08+00') created_at!: string;
  @Moment('When the session was last extended, to the day.') last_seen_at!: string;
  @Text('Address from which the user signed in.', '203.0.113.7') address!: string;
  @Text('The browser, as it named itself.', 'Mozilla/5.0') user_agent!: string;
  @Flag('Whether it is the session of this request.', true) is_current!: boolean;
}

@Shape('The session that was ended.')
export class RevokedSessionResponse {
  @Always('session') object!: 'session';
  @Id('Id of the session.', sessionId) id!: string;
  @Flag('Always true.', true) revoked!: boolean;
}

@Shape('The sessions that were ended.')
export class RevokedSessionsResponse {
  @Always('sessions') object!: 'sessions';
  @Whole('How many sessions were ended.', 2) revoked!: number;
}

@Shape('The confirmation.')
export class ConfirmedResponse {
  @Always('confirmation') object!: 'confirmation';
  @Flag('Always true.', true) is_confirmed!: boolean;
}
