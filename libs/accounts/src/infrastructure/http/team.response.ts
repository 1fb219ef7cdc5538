import type { TeamRole } from '#identity';
import { Always, Flag, Id, Moment, OneOf, Text, Texts } from '#platform/openapi';

const Role = (): PropertyDecorator => OneOf('owner', 'admin', 'developer', 'viewer');

export class TeamResponse {
  @OneOf('team') object!: 'team';
  @Id() id!: string;
  @Text() name!: string;
  @Moment() created_at!: string;
}

export class TeamIdResponse {
  @OneOf('team') object!: 'team';
  @Id() id!: string;
}

export class MemberResponse {
  @OneOf('team_member') object!: 'team_member';
  @Id() id!: string;
  @Text() email!: string;
  @Text() name!: string;
  @Role() role!: TeamRole;
  @Moment() created_at!: string;
}

export class MemberIdResponse {
  @OneOf('team_member') object!: 'team_member';
  @Id() id!: string;
}

export class RemovedMemberResponse extends MemberIdResponse {
  @Always(true) deleted!: true;
}

export class InvitationResponse {
  @OneOf('team_invitation') object!: 'team_invitation';
  @Id() id!: string;
  @Text() email!: string;
  @Role() role!: TeamRole;
  @Moment() created_at!: string;
  @Moment() expires_at!: string;
}

export class RevokedInvitationResponse {
  @OneOf('team_invitation') object!: 'team_invitation';
  @Id() id!: string;
  @Always(true) deleted!: true;
}

export class ShownInvitationResponse {
  @OneOf('team_invitation') object!: 'team_invitation';
  @Text() team_name!: string;
  @Text() email!: string;
  @Role() role!: TeamRole;
  @Flag() has_account!: boolean;
}

export class JoinedTeamResponse {
  @OneOf('team') object!: 'team';
  @Id() id!: string;
}

export class SignInMethodsResponse {
  @OneOf('sign_in_methods') object!: 'sign_in_methods';
  @OneOf('invited', 'open', 'closed') sign_up!: string;
  @Texts() providers!: readonly string[];
  @Flag() needs_owner!: boolean;
}

export class MadeOwnerResponse {
  @OneOf('user') object!: 'user';
  @Id() id!: string;
}
