export { MailTracking } from './infrastructure/rendering/mail-tracking.js';
export type { Personal, TrackedMail } from './infrastructure/rendering/mail-tracking.js';
export { TrackingHttpModule, TrackingModule } from './tracking.module.js';
