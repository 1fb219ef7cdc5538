export { EventConsumer, type EventConsumerOptions, type EventLog, type LoggedEvent } from './event-consumer.js';
export { EventWorker } from './event-worker.js';
export { WorkSearch } from './work-search.js';
export type { EventWorkerOptions } from './event-worker.js';
