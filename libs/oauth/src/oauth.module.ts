import { AccountsHttpModule, AccountsModule } from '#accounts';
import { AuditModule } from '#audit';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { OAuthStore } from './application/ports/oauth-store.port.js';
import { ToolTokens } from './application/ports/tool-tokens.port.js';
import { ToolAccess } from './application/tool-access.js';
import { OAuthGrantsController } from './infrastructure/http/oauth-grants.controller.js';
import { OAuthLimits } from './infrastructure/http/oauth-limits.js';
import { OAuthScope } from './infrastructure/http/oauth-scope.js';
import { ToolPrincipals } from './infrastructure/http/tool-principals.js';
import { OAuthPurge } from './infrastructure/persistence/oauth-purge.js';
import { PostgresOAuthStore } from './infrastructure/persistence/postgres-oauth-store.js';
import { SignedToolTokens } from './infrastructure/signed-tool-tokens.js';

/** Lets tools act for users, with OAuth 2.1. */
@Module({
  imports: [AccountsModule, AccountsHttpModule, AuditModule, IdentityModule],
  providers: [
    { provide: OAuthStore, useClass: PostgresOAuthStore },
    { provide: ToolTokens, useClass: SignedToolTokens },
    OAuthLimits,
    OAuthScope,
    ToolAccess,
    ToolPrincipals,
  ],
  controllers: [OAuthGrantsController],
})
export class OAuthHttpModule {}

@Module({ providers: [OAuthPurge] })
export class OAuthWorkerModule {}
