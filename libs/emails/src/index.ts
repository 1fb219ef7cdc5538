export { AcceptEmails } from './application/accept-emails.use-case.js';
export { AuthorizeSender } from './application/compose-email.js';
export { ChangeSchedule } from './application/change-schedule.use-case.js';
export { FetchAttachments } from './application/fetch-attachments.use-case.js';
export { ForwardMail } from './application/forward-mail.use-case.js';
export type { ForwardRequest } from './application/forward-mail.use-case.js';
export { OutgoingEmails } from './application/outgoing-emails.js';
export type { LockedRecipient, OutgoingEmail } from './application/ports/email-repository.port.js';
export { MessageStore, maxPipelinedPutBytes } from './application/ports/message-store.port.js';
export type { StoredMessage } from './application/ports/message-store.port.js';
export { OutboundQueue } from './application/ports/outbound-queue.port.js';
export type { QueuedRecipient, RecipientOfEmail } from './application/ports/outbound-queue.port.js';
export { RoomForMail } from './application/ports/room-for-mail.port.js';
export { ReadAttachments } from './application/read-attachments.query.js';
export { PreviewEmail } from './application/preview-email.use-case.js';
export type { PreviewedEmail } from './application/preview-email.use-case.js';
export { RehearseEmail } from './application/rehearse-email.use-case.js';
export type { RehearsedEmail } from './application/rehearse-email.use-case.js';
export { AttachmentRequest, decodeAttachments } from './infrastructure/http/attachment.request.js';
export { decodeSendRequest, SendEmailRequest } from './infrastructure/http/send-email.request.js';
export { contentErrors, quotaErrors } from './infrastructure/http/send-errors.js';
export { ReleaseScheduled } from './application/release-scheduled.use-case.js';
export { ScreenWaiting } from './application/screen-waiting.use-case.js';
export type { Withheld } from './domain/withheld-recipient.js';
export { SendInTransaction } from './application/send-in-transaction.use-case.js';
export { SendMailing } from './application/send-mailing.use-case.js';
export type { MailingResult, PreparedMailing } from './application/send-mailing.use-case.js';
export type { CompiledMailing, Mailing, MailingRecipient } from './domain/mailing.js';
export { SendShared } from './application/send-shared.use-case.js';
export type { SendRequest } from './domain/draft.js';
export type { RequestedAttachment } from './domain/draft-attachment.js';
export { maxEmailBytes, maxRecipients, maxSubjectLength } from './domain/draft.js';
export {
  EmailTooLargeError,
  MissingBodyError,
  NoRoomForMailError,
  SenderNotAllowedError,
} from './domain/email-errors.js';
export { parseTrackingField } from './domain/tracking-choice.js';
export type { TrackingChoice } from './domain/tracking-choice.js';
export { unsubscribeTags } from './domain/unsubscribe-tags.js';
export type { Engagement } from './domain/engagement.js';
export { EmailEngagements } from './application/ports/email-engagements.port.js';
export type { EmailRecipient } from './application/ports/email-engagements.port.js';
export type { SharedContent } from './domain/shared-content.js';
export { maxSharedRecipients } from './domain/shared-send-request.js';
export type { SharedRecipient, SharedSendRequest } from './domain/shared-send-request.js';
export type { Email, Tag } from './domain/email.js';
export { addressesOf } from './domain/accepted-email.js';
export type { AcceptedEmail } from './domain/accepted-email.js';
export { controlFields, isDroppedField } from './domain/raw-email.js';
export type { RawSendRequest } from './domain/raw-email.js';
export { acceptanceSpanId, traceIdOf } from './domain/trace-ids.js';
export type { RecipientChange } from './domain/email-events.js';
export type { EmailEventType, RecipientStatus } from './domain/email-status.js';
export { testAddressRole } from './domain/test-addresses.js';
export type { TestAddressRole } from './domain/test-addresses.js';
export { DomainActivityModule, EmailsHttpModule, EmailsModule, EmailsWorkerModule } from './emails.module.js';
export { contentDisposition } from './infrastructure/http/content-disposition.js';
export { SignedLinks } from './infrastructure/http/signed-links.js';
export type { LinkSignature, SignedLink } from './infrastructure/http/signed-links.js';
export { ReadEmails } from './application/read-emails.query.js';
export { emailSummary } from './infrastructure/http/email.response.js';
export { parseScheduledAt } from './infrastructure/http/scheduled-at.js';
export { DirectoryMessageStore } from './infrastructure/storage/directory-message-store.js';
export { InMemoryMessageStore } from './infrastructure/storage/in-memory-message-store.js';
export { PostgresMessageStore } from './infrastructure/storage/postgres-message-store.js';
export { S3MessageStore } from './infrastructure/storage/s3-message-store.js';
export { s3LocationFromUrl } from './infrastructure/storage/s3-url.js';
export {
  emailEventLog,
  emailEventPositions,
  engagementEventLog,
  outcomeEventLog,
  outcomeSpanLog,
  refusalEventLog,
} from './infrastructure/persistence/email-event-log.js';
export type { EventSpan, LoggedEmailEvent } from './infrastructure/persistence/email-event-log.js';
export { emailsSchema } from './infrastructure/persistence/schema.js';
