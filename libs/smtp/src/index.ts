export { InboundMail } from './application/ports/inbound-mail.port.js';
export type {
  ArrivingContent,
  ArrivingMessage,
  InboundRecipient,
  TakenMessage,
  Visitor,
} from './application/ports/inbound-mail.port.js';
export { IncomingMail } from './application/ports/incoming-mail.port.js';
export type { IncomingMessage } from './application/ports/incoming-mail.port.js';
export { SubmissionListeners } from './infrastructure/smtp/submission-listeners.js';
export type { SubmissionPorts, UnavailableListener } from './infrastructure/smtp/submission-listeners.js';
export { MailRefusal } from './domain/mail-refusal.js';
export { SmtpModule } from './smtp.module.js';
