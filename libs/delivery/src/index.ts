export { DeliveryTransport, SandboxAddress } from './application/ports/delivery-transport.port.js';
export { LaneNames } from './application/ports/lanes.port.js';
export { DeliveryQueue } from './application/ports/delivery-queue.port.js';
export { SenderPace } from './application/ports/sender-pace.port.js';
export type { PaceHold } from './application/ports/sender-pace.port.js';
export { pacedLaneName, pacedLaneOf } from './domain/lane-name.js';
export type { PacedKind, PacedLane } from './domain/lane-name.js';
export { ReturnPaths, type ReturnPathOwner } from './application/ports/message-renderer.port.js';
export { ReadSource } from './application/read-source.query.js';
export { DeliveryHttpModule } from './delivery-http.module.js';
export { DeliveryModule } from './delivery.module.js';
export { bounceOfDelay, bounceOfRefusal, undetermined } from './domain/recipient-progress.js';
export type { BounceClass } from './domain/recipient-progress.js';
export { classifyReply, endsSessionOnly, namesOnlySender } from './domain/classify-reply.js';
export { suppresses } from './domain/attempt.js';
export type {
  AttemptDetail,
  AttemptTimings,
  ClaimedRecipient,
  DeliveryOutcome,
  ConnectionTls,
} from './domain/attempt.js';
export type { LaneLimits, Narrowing } from './domain/lane-limits.js';
export { NotAttemptedError } from './domain/attempt.js';
export type { MessageContent, OutboundMessage } from './domain/attempt.js';
export type { ReplyCategory, ReplyStage } from './domain/classify-reply.js';
export { TestAddressTransport } from './application/test-address-transport.js';
export { InMemoryDeliveryTransport } from './infrastructure/transport/in-memory-delivery-transport.js';
export { WorkerIdentity } from './application/worker-identity.js';
export { deliverySchema } from './infrastructure/persistence/schema.js';
