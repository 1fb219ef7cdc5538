export { QueueModule, type QueueOptions, WakeUpHost } from './queue.module.js';
