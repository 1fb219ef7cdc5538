export {
  InboundRoutesHttpModule,
  RouteActionsModule,
  RouteBouncesModule,
  RoutesPrivacyModule,
  RoutingModule,
} from './inbound-routes.module.js';
export { inboundRoutesSchema } from './infrastructure/persistence/schema.js';
