export { inboundRoutesSchema } from './infrastructure/persistence/schema.js';
export { InboundRoutesHttpModule } from './inbound-routes.module.js';
