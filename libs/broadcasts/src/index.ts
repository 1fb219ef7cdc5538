export { Broadcasts } from './application/broadcasts.use-case.js';
export { ReadBroadcasts } from './application/read-broadcasts.query.js';
export { BroadcastStateError } from './domain/broadcast-errors.js';
export type { Broadcast, BroadcastOptions, BroadcastStatus } from './domain/broadcast.js';
export { BroadcastsHttpModule, BroadcastsModule, BroadcastsWorkerModule } from './broadcasts.module.js';
export { broadcastsSchema } from './infrastructure/persistence/schema.js';
