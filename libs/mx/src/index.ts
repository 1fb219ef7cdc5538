export { StsPolicyStore } from './application/ports/sts-policy-store.port.js';
export { ConfiguredMx } from './infrastructure/configured-mx.js';
export { MxDeliveryTransport } from './infrastructure/mx-delivery-transport.js';
export type { MxOptions } from './infrastructure/mx-delivery-transport.js';
export { mxSchema } from './infrastructure/persistence/schema.js';
export { sourceHostsIn, sourceHostsOf } from './infrastructure/routes/operator-rules.js';
export type { SourceHost } from './infrastructure/sites/source-hosts.js';
export { MxModule } from './mx.module.js';
