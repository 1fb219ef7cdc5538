import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthenticateApiKey } from './application/authenticate-api-key.use-case.js';
import { BootstrapTeam } from './application/bootstrap-team.use-case.js';
import { ApiKeyRepository } from './application/ports/api-key-repository.port.js';
import { ApiKeyTokens } from './application/ports/api-key-tokens.port.js';
import { TeamRepository } from './application/ports/team-repository.port.js';
import { CryptoApiKeyTokens } from './infrastructure/crypto-api-key-tokens.js';
import { ApiKeyGuard } from './infrastructure/http/api-key.guard.js';
import { LargeBodyGate } from './infrastructure/http/large-body-gate.js';
import { ApiKeyRow } from './infrastructure/persistence/api-key.row.js';
import { PostgresApiKeyRepository } from './infrastructure/persistence/postgres-api-key-repository.js';
import { PostgresTeamRepository } from './infrastructure/persistence/postgres-team-repository.js';
import { TeamRow } from './infrastructure/persistence/team.row.js';

/** Teams and API keys: who may do what, through whichever door. */
@Module({
  imports: [TypeOrmModule.forFeature([TeamRow, ApiKeyRow])],
  providers: [
    { provide: ApiKeyRepository, useClass: PostgresApiKeyRepository },
    { provide: TeamRepository, useClass: PostgresTeamRepository },
    { provide: ApiKeyTokens, useClass: CryptoApiKeyTokens },
    AuthenticateApiKey,
    BootstrapTeam,
    ApiKeyGuard,
    LargeBodyGate,
  ],
  exports: [AuthenticateApiKey, BootstrapTeam, ApiKeyGuard],
})
export class IdentityModule {}
