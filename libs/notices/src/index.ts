export { NoticesModule, NoticesWorkerModule } from './notices.module.js';
