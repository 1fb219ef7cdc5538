import { DynamicModule, Module, Type } from '@nestjs/common';
import { ApiKeyUse } from './application/api-key-use.js';
import { ApiKeys } from './application/api-keys.use-case.js';
import { AuthenticateApiKey } from './application/authenticate-api-key.use-case.js';
import { ApiKeyRepository, TeamRepository } from './application/ports/teams-and-api-keys.port.js';
import { Teams } from './application/teams.use-case.js';
import { ApiKeyUseWriter } from './infrastructure/api-key-use-writer.js';
import { ApiKeysController } from './infrastructure/http/api-keys.controller.js';
import { LargeBodyGate } from './infrastructure/http/large-body-gate.js';
import { PrincipalGuard } from './infrastructure/http/principal.guard.js';
import { PrincipalSources } from './infrastructure/http/principal-sources.js';
import { RequestPrincipals } from './infrastructure/http/request-principals.js';
import { PostgresApiKeyRepository } from './infrastructure/persistence/postgres-api-key-repository.js';
import { PostgresTeamRepository } from './infrastructure/persistence/postgres-team-repository.js';

/** Teams, API keys and principals: who may do what, over HTTP and SMTP. */
@Module({
  providers: [
    { provide: ApiKeyRepository, useClass: PostgresApiKeyRepository },
    { provide: TeamRepository, useClass: PostgresTeamRepository },
    ApiKeyUse,
    ApiKeyUseWriter,
    AuthenticateApiKey,
    PrincipalSources,
    RequestPrincipals,
    PrincipalGuard,
    LargeBodyGate,
    Teams,
  ],
  exports: [
    ApiKeyRepository,
    ApiKeyUse,
    AuthenticateApiKey,
    TeamRepository,
    PrincipalGuard,
    PrincipalSources,
    RequestPrincipals,
    Teams,
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
      providers: [ApiKeys],
      controllers: [ApiKeysController],
    };
  }
}
