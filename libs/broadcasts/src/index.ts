export type { Broadcast, BroadcastOptions, BroadcastStatus } from './domain/broadcast.js';
export { broadcastsSchema } from './infrastructure/persistence/schema.js';
