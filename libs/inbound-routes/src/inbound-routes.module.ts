import { DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { ExplainRoute } from './application/explain-route.query.js';
import { ManageRoutes } from './application/manage-routes.use-case.js';
import { RouteRepository } from './application/ports/route-repository.port.js';
import { RoutesController } from './infrastructure/http/routes.controller.js';
import { PostgresRouteRepository } from './infrastructure/persistence/postgres-route-repository.js';

/** The endpoints that manage routes. */
@Module({
  imports: [DomainsModule, IdentityModule],
  controllers: [RoutesController],
  providers: [{ provide: RouteRepository, useClass: PostgresRouteRepository }, ExplainRoute, ManageRoutes],
})
export class InboundRoutesHttpModule {}
