import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { ConfirmUser } from './application/confirm-user.use-case.js';
import { ReadMe } from './application/read-me.query.js';
import { AccountMail } from './application/ports/account-mail.port.js';
import { Memberships } from './application/ports/memberships.port.js';
import { OwnOrigin } from './application/ports/own-origin.port.js';
import { Sessions } from './application/ports/sessions.port.js';
import { SignIn } from './application/ports/sign-in.port.js';
import { SessionCookies } from './application/session-cookies.js';
import { SignUpPolicy } from './application/sign-up-policy.js';
import { AuthSecrets } from './infrastructure/auth-secrets.js';
import { BetterAuthSignIn } from './infrastructure/better-auth/better-auth-sign-in.js';
import { ConfiguredSignUpPolicy } from './infrastructure/configured-sign-up-policy.js';
import { AuthLimits } from './infrastructure/http/auth-limits.js';
import { AuthScope } from './infrastructure/http/auth-scope.js';
import { MeController } from './infrastructure/http/me.controller.js';
import { RequestUsers } from './infrastructure/http/request-users.js';
import { SameOrigin } from './infrastructure/http/same-origin.js';
import { SessionPrincipals } from './infrastructure/http/session-principals.js';
import { UserGuard } from './infrastructure/http/user.guard.js';
import { NoticedAccountMail } from './infrastructure/noticed-account-mail.js';
import { PostgresMemberships } from './infrastructure/persistence/postgres-memberships.js';
import { PostgresSessions } from './infrastructure/persistence/postgres-sessions.js';
import { ServiceOrigin } from './infrastructure/service-origin.js';

/** The people who use the dashboard: how they sign in, and which teams they belong to. */
@Module({
  imports: [IdentityModule],
  providers: [
    { provide: AccountMail, useClass: NoticedAccountMail },
    { provide: Memberships, useClass: PostgresMemberships },
    { provide: OwnOrigin, useClass: ServiceOrigin },
    { provide: Sessions, useClass: PostgresSessions },
    { provide: SignIn, useClass: BetterAuthSignIn },
    { provide: SignUpPolicy, useClass: ConfiguredSignUpPolicy },
    AuthSecrets,
    ConfirmUser,
    ReadMe,
    SessionCookies,
  ],
  exports: [Memberships, OwnOrigin, Sessions, SignIn, ConfirmUser, ReadMe, SessionCookies],
})
export class AccountsModule {}

@Module({
  imports: [AccountsModule, IdentityModule],
  providers: [AuthLimits, AuthScope, RequestUsers, SameOrigin, SessionPrincipals, UserGuard],
  controllers: [MeController],
})
export class AccountsHttpModule {}
