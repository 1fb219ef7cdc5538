import { AudienceModule } from '#audience';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { NamedThings } from './application/ports/named-things.port.js';
import { SearchTeam } from './application/search-team.query.js';
import { SearchController } from './infrastructure/http/search.controller.js';
import { PostgresNamedThings } from './infrastructure/persistence/postgres-named-things.js';

/** Finds what a team has by its name. It owns no tables: it reads what the other libs publish. */
@Module({
  imports: [IdentityModule, AudienceModule],
  controllers: [SearchController],
  providers: [{ provide: NamedThings, useClass: PostgresNamedThings }, SearchTeam],
})
export class SearchHttpModule {}
