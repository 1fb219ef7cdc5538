export { MailTracking } from './infrastructure/rendering/mail-tracking.js';
export type { Personal, TrackedMail } from './infrastructure/rendering/mail-tracking.js';
export { trackingPlan } from './domain/tracking-plan.js';
export { TrackingHttpModule, TrackingModule } from './tracking.module.js';
