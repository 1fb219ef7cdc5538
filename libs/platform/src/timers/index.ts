export { Timers } from './timers.js';
export { TimersModule } from './timers.module.js';
