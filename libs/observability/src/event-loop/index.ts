export { EventLoop, EventLoopModule } from './event-loop.js';
export { startWatchdog } from './watchdog.js';
