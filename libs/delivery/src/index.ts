export { DeliveryTransport } from './application/ports/delivery-transport.port.js';
export { SandboxAddress } from './application/ports/sandbox-address.port.js';
export { DeliveryModule } from './delivery.module.js';
export type { AttemptDetail, DeliveryOutcome } from './domain/delivery-outcome.js';
export type { OutboundMessage } from './domain/outbound-message.js';
export { InMemoryDeliveryTransport } from './infrastructure/transport/in-memory-delivery-transport.js';
export { RelayDeliveryTransport } from './infrastructure/transport/relay-delivery-transport.js';
export type { RelayOptions } from './infrastructure/transport/relay-delivery-transport.js';
export { SandboxDeliveryTransport } from './infrastructure/transport/sandbox-delivery-transport.js';
