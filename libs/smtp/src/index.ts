export { MailRefusal, ReceivedMail } from './application/ports/received-mail.port.js';
export type {
  ArrivingContent,
  ArrivingMessage,
  InboundRecipient,
  TakenMessage,
  Visitor,
} from './application/ports/received-mail.port.js';
export { FeedbackMail } from './application/ports/feedback-mail.port.js';
export type { FeedbackMessage } from './application/ports/feedback-mail.port.js';
export { SmtpListeners } from './infrastructure/smtp/smtp-listeners.js';
export type { SmtpPorts, UnavailableListener } from './infrastructure/smtp/smtp-listeners.js';
export { SmtpModule } from './smtp.module.js';
