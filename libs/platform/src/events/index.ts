export { EventConsumer } from './event-consumer.js';
export type { EventConsumerOptions } from './event-consumer.js';
export type { EventLog, LoggedEvent } from './event-log.js';
