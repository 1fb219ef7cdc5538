import { DynamicModule, Module, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyUse } from './application/api-key-use.js';
import { AuthenticateApiKey } from './application/authenticate-api-key.use-case.js';
import { BootstrapTeam } from './application/bootstrap-team.use-case.js';
import { CreateApiKey } from './application/create-api-key.use-case.js';
import { ManageApiKeys } from './application/manage-api-keys.use-case.js';
import { ManageTeams } from './application/manage-teams.use-case.js';
import { ApiKeyRepository } from './application/ports/api-key-repository.port.js';
import { ApiKeyTokens } from './application/ports/api-key-tokens.port.js';
import { TeamRepository } from './application/ports/team-repository.port.js';
import { TeamTurns } from './application/team-turns.js';
import { ApiKeyUseWriter } from './infrastructure/api-key-use-writer.js';
import { CryptoApiKeyTokens } from './infrastructure/crypto-api-key-tokens.js';
import { ApiKeysController } from './infrastructure/http/api-keys.controller.js';
import { LargeBodyGate } from './infrastructure/http/large-body-gate.js';
import { PrincipalGuard } from './infrastructure/http/principal.guard.js';
import { PrincipalSources } from './infrastructure/http/principal-sources.js';
import { RequestPrincipals } from './infrastructure/http/request-principals.js';
import { ApiKeyRow } from './infrastructure/persistence/api-key.row.js';
import { PostgresApiKeyRepository } from './infrastructure/persistence/postgres-api-key-repository.js';
import { PostgresTeamRepository } from './infrastructure/persistence/postgres-team-repository.js';
import { TeamRow } from './infrastructure/persistence/team.row.js';

/** Teams, API keys and principals: who may do what, over HTTP and SMTP. */
@Module({
  imports: [TypeOrmModule.forFeature([TeamRow, ApiKeyRow])],
  providers: [
    { provide: ApiKeyRepository, useClass: PostgresApiKeyRepository },
    { provide: TeamRepository, useClass: PostgresTeamRepository },
    { provide: ApiKeyTokens, useClass: CryptoApiKeyTokens },
    ApiKeyUse,
    ApiKeyUseWriter,
    AuthenticateApiKey,
    BootstrapTeam,
    ManageApiKeys,
    ManageTeams,
    PrincipalSources,
    RequestPrincipals,
    PrincipalGuard,
    LargeBodyGate,
    TeamTurns,
  ],
  exports: [
    ApiKeyRepository,
    ApiKeyTokens,
    AuthenticateApiKey,
    BootstrapTeam,
    ManageApiKeys,
    ManageTeams,
    TeamRepository,
    PrincipalGuard,
    PrincipalSources,
    RequestPrincipals,
    TeamTurns,
  ],
})
export class IdentityModule {}

/** Endpoints that manage API keys. `domains` is the module that exports a `DomainOwnership`. */
@Module({})
export class IdentityHttpModule {
  static forRoot(domains: Type): DynamicModule {
    return {
      module: IdentityHttpModule,
      imports: [IdentityModule, domains],
      providers: [CreateApiKey],
      controllers: [ApiKeysController],
    };
  }
}
