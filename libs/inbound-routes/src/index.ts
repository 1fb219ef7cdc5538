export {
  InboundRoutesHttpModule,
  RouteActionsModule,
  RouteBouncesModule,
  RoutingModule,
} from './inbound-routes.module.js';
export { inboundRoutesSchema } from './infrastructure/persistence/schema.js';
