export { ContactActivityWorkerModule } from './contact-activity.module.js';
