export { QueueModule } from './queue.module.js';
export type { QueueOptions } from './queue.module.js';
export { WakeUpHost } from './wake-up-host.js';
