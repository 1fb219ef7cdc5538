export { QueueModule } from './queue.module.js';
export type { QueueOptions } from './queue.module.js';
