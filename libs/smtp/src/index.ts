export { SubmissionListeners } from './infrastructure/smtp/submission-listeners.js';
export type { SubmissionPorts, UnavailableListener } from './infrastructure/smtp/submission-listeners.js';
export { SmtpModule } from './smtp.module.js';
