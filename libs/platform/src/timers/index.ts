export { Timers, TimersModule } from './timers.js';
