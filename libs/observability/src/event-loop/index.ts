export { EventLoop } from './event-loop.js';
export { EventLoopModule } from './event-loop.module.js';
export { startWatchdog } from './watchdog.js';
