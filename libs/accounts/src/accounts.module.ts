import { AuditModule } from '#audit';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AcceptInvitation } from './application/accept-invitation.use-case.js';
import { ConfirmUser, ReadMe } from './application/own-account.use-case.js';
import { FollowGroups } from './application/follow-groups.use-case.js';
import { InvitationLimits } from './application/invitation-limits.js';
import { InvitationMail } from './application/invitation-mail.js';
import { MakeOwner } from './application/make-owner.use-case.js';
import { TeamInvitations } from './application/team-invitations.use-case.js';
import { TeamMembers } from './application/team-members.use-case.js';
import { NewUsers } from './application/new-users.js';
import { OperateTeams } from './application/operate-teams.use-case.js';
import { OperateUsers } from './application/operate-users.use-case.js';
import { AccountMail } from './application/account-mail.js';
import { AttemptCounts } from './application/ports/attempt-counts.port.js';
import { Invitations, Memberships } from './application/ports/memberships.port.js';
import { OwnerLinks, OwnOrigin, Sessions, SignIn } from './application/ports/sign-in.port.js';
import { Users } from './application/ports/users.port.js';
import { SessionCookies } from './application/session-cookies.js';
import { AuthSecrets } from './infrastructure/session-token.js';
import { BetterAuthSignIn } from './infrastructure/better-auth/better-auth-sign-in.js';
import { PasswordHashes } from './infrastructure/better-auth/password-hashes.js';
import { PasswordPolicy, SignInProviders } from './application/ports/sign-in-providers.port.js';
import { ConfiguredPasswordPolicy } from './infrastructure/better-auth/password-policy.js';
import { OpenIdClients } from './infrastructure/open-id/open-id-clients.js';
import { AuthLimits } from './infrastructure/http/auth-limits.js';
import { AuthScope } from './infrastructure/http/auth-scope.js';
import { BackChannelLogout } from './infrastructure/http/back-channel-logout.js';
import { MeController } from './infrastructure/http/me.controller.js';
import { OperatorController } from './infrastructure/http/operator.controller.js';
import { OperatorGuard } from './infrastructure/http/operator.guard.js';
import { RequestUsers } from './infrastructure/http/request-users.js';
import { SameOrigin } from './infrastructure/http/same-origin.js';
import { SessionPrincipals } from './infrastructure/http/session-principals.js';
import { TeamController } from './infrastructure/http/team.controller.js';
import { TeamInvitationsController } from './infrastructure/http/team-invitations.controller.js';
import { UserGuard } from './infrastructure/http/user.guard.js';
import { WelcomeController } from './infrastructure/http/welcome.controller.js';
import { AccountsPurge } from './infrastructure/persistence/accounts-purge.js';
import { PostgresAttemptCounts } from './infrastructure/persistence/postgres-attempt-counts.js';
import { PostgresInvitations } from './infrastructure/persistence/postgres-invitations.js';
import { PostgresMemberships } from './infrastructure/persistence/postgres-memberships.js';
import { PostgresSessions } from './infrastructure/persistence/postgres-sessions.js';
import { PostgresUsers } from './infrastructure/persistence/postgres-users.js';
import { ServiceOrigin } from './infrastructure/service-origin.js';
import { SignUpPolicy } from './infrastructure/better-auth/auth-settings.js';
import { SignedOwnerLinks } from './infrastructure/signed-owner-links.js';

/** The people who use the dashboard: how they sign in, and which teams they belong to. */
@Module({
  imports: [AuditModule, IdentityModule],
  providers: [
    { provide: AttemptCounts, useClass: PostgresAttemptCounts },
    { provide: Invitations, useClass: PostgresInvitations },
    { provide: Memberships, useClass: PostgresMemberships },
    { provide: OwnerLinks, useClass: SignedOwnerLinks },
    { provide: OwnOrigin, useClass: ServiceOrigin },
    { provide: Sessions, useClass: PostgresSessions },
    { provide: SignIn, useClass: BetterAuthSignIn },
    { provide: PasswordPolicy, useClass: ConfiguredPasswordPolicy },
    { provide: SignInProviders, useExisting: OpenIdClients },
    { provide: Users, useClass: PostgresUsers },
    AcceptInvitation,
    AccountMail,
    AuthSecrets,
    ConfirmUser,
    FollowGroups,
    InvitationLimits,
    InvitationMail,
    MakeOwner,
    TeamInvitations,
    TeamMembers,
    NewUsers,
    OpenIdClients,
    PasswordHashes,
    OperateTeams,
    OperateUsers,
    ReadMe,
    SessionCookies,
    SignUpPolicy,
  ],
  exports: [
    AcceptInvitation,
    AttemptCounts,
    ConfirmUser,
    MakeOwner,
    TeamInvitations,
    TeamMembers,
    Memberships,
    OperateTeams,
    OperateUsers,
    OwnOrigin,
    PasswordPolicy,
    ReadMe,
    SessionCookies,
    Sessions,
    SignIn,
    SignInProviders,
    Users,
  ],
})
export class AccountsModule {}

const controllers = [MeController, OperatorController, TeamController, TeamInvitationsController, WelcomeController];

@Module({
  imports: [AccountsModule, AuditModule, IdentityModule],
  providers: [
    AuthLimits,
    AuthScope,
    BackChannelLogout,
    OperatorGuard,
    RequestUsers,
    SameOrigin,
    SessionPrincipals,
    UserGuard,
  ],
  controllers,
  exports: [OperatorGuard, RequestUsers, SameOrigin],
})
export class AccountsHttpModule {}

@Module({ providers: [AccountsPurge] })
export class AccountsWorkerModule {}
