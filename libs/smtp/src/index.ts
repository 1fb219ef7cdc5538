export {
  MailRefusal,
  ReceivedMail,
  type ArrivingContent,
  type ArrivingMessage,
  type InboundRecipient,
  type TakenMessage,
  type Visitor,
  FeedbackMail,
  type FeedbackMessage,
} from './application/ports/received-mail.port.js';
export {
  OtherControlFields,
  type ExtensionFields,
  type SubmissionChoices,
} from './application/ports/submission-choices.port.js';
export { finishedMessage } from './infrastructure/mime/finished-message.js';
export { SmtpListeners } from './infrastructure/smtp/smtp-listeners.js';
export type { SmtpPorts, UnavailableListener } from './infrastructure/smtp/smtp-listeners.js';
export { SmtpModule } from './smtp.module.js';
