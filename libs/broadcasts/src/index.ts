export type { Broadcast, BroadcastOptions, BroadcastStatus } from './domain/broadcast.js';
export { ReleaseBroadcasts } from './application/release-broadcasts.use-case.js';
export { BroadcastsHttpModule, BroadcastsModule, BroadcastsWorkerModule } from './broadcasts.module.js';
export { broadcastsSchema } from './infrastructure/persistence/schema.js';
export { BroadcastFanOutModule } from './fan-out.module.js';
