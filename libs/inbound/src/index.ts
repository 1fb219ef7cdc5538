export { ReceivedContents } from './application/ports/received-contents.port.js';
export type {
  ReceivedContentReader,
  ReadableSource,
  ReleasedAfterUse,
} from './application/ports/received-contents.port.js';
export { ReceivedEmails } from './application/ports/received-emails.port.js';
export { ReceivedMailActions, RecipientRouting, TeamAddresses } from './application/ports/inbound-routing.port.js';
export type {
  ActionOutcome,
  RecipientDecision,
  RecipientQuestion,
  TeamAddress,
} from './application/ports/inbound-routing.port.js';
export { ServiceMailbox, ServiceMailboxes } from './application/ports/service-mailbox.port.js';
export type { ServiceMessage } from './application/ports/service-mailbox.port.js';
export { SpamScorer, VirusScanner } from './application/ports/scanners.port.js';
export type { ScannedMessage } from './application/ports/scanners.port.js';
export { ReceivedInbox } from './application/received-inbox.use-case.js';
export {
  EmailAboveQuotaError,
  type ReceivedAttachment,
  type ReceivedEmail,
  type SendingServer,
} from './domain/received-email.js';
export { ReceiveMail } from './application/receive-mail.use-case.js';
export { refusalOfRecipient } from './application/decide-recipient.js';
export type { RecipientRefusal } from './application/decide-recipient.js';
export type {
  ArcVerdict,
  AuthenticationResult,
  DkimVerdict,
  DmarcVerdict,
  FcrdnsVerdict,
  SpamVerdict,
  SpfVerdict,
  Verdicts,
  VirusVerdict,
} from './domain/verdicts.js';
export {
  InboundElsewhereModule,
  InboundHttpModule,
  InboundListenerModule,
  InboundModule,
  InboundWorkerModule,
} from './inbound.module.js';
export { LocalDeliveryTransport } from './infrastructure/local-delivery-transport.js';
export { messageKeyOf } from './infrastructure/mime/message-ids.js';
export { noteThread } from './infrastructure/persistence/received-threads.js';
export { inboundSchema } from './infrastructure/persistence/schema.js';
