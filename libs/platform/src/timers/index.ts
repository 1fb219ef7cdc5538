export { Timers, TimersModule, withinStop } from './timers.js';
