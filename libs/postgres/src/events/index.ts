export { EventConsumer } from './event-consumer.js';
export type { EventConsumerOptions } from './event-consumer.js';
export { EventWorker } from './event-worker.js';
export type { EventWorkerOptions } from './event-worker.js';
export type { EventLog, LoggedEvent } from './event-log.js';
