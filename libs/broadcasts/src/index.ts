export type { Broadcast, BroadcastOptions, BroadcastStatus } from './domain/broadcast.js';
export { BroadcastsHttpModule, BroadcastsModule, BroadcastsWorkerModule } from './broadcasts.module.js';
export { broadcastsSchema } from './infrastructure/persistence/schema.js';
