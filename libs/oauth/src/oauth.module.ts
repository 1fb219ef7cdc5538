import { AccountsHttpModule, AccountsModule } from '#accounts';
import { AuditModule } from '#audit';
import { IdentityModule } from '#identity';
import { SecretBox } from '#platform/secrets';
import { Module } from '@nestjs/common';
import { OAuthStore } from './application/ports/oauth-store.port.js';
import { ReportReuse } from './application/report-reuse.js';
import { ToolAccess } from './application/tool-access.js';
import { ToolTokens } from './application/tool-tokens.js';
import { OAuthConsent } from './infrastructure/http/oauth-consent.js';
import { OAuthDiscovery } from './infrastructure/http/oauth-discovery.js';
import { OAuthGrantsController } from './infrastructure/http/oauth-grants.controller.js';
import { OAuthLimits } from './infrastructure/http/oauth-limits.js';
import { OAuthScope } from './infrastructure/http/oauth-scope.js';
import { OAuthTokenEndpoint } from './infrastructure/http/oauth-token-endpoint.js';
import { ToolPrincipals } from './infrastructure/http/tool-principals.js';
import { OAuthPurge } from './infrastructure/persistence/oauth-purge.js';
import { PostgresOAuthStore } from './infrastructure/persistence/postgres-oauth-store.js';

/** Lets tools act for users, with OAuth 2.1. */
@Module({
  imports: [AccountsModule, AccountsHttpModule, AuditModule, IdentityModule],
  providers: [
    { provide: OAuthStore, useClass: PostgresOAuthStore },
    {
      provide: ToolTokens,
      inject: [SecretBox],
      useFactory: (secrets: SecretBox) => new ToolTokens(secrets.derived('tokens of tools').map(({ value }) => value)),
    },
    OAuthConsent,
    OAuthDiscovery,
    OAuthLimits,
    OAuthScope,
    OAuthTokenEndpoint,
    ReportReuse,
    ToolAccess,
    ToolPrincipals,
  ],
  controllers: [OAuthGrantsController],
})
export class OAuthHttpModule {}

@Module({ providers: [OAuthPurge] })
export class OAuthWorkerModule {}
