export { EraseReceived } from './application/erase-received.use-case.js';
export type { ErasedMail } from './application/erase-received.use-case.js';
export { ReceivedContents } from './application/ports/received-contents.port.js';
export type { ContentReader, ReadableSource, Released } from './application/ports/received-contents.port.js';
export { ReceivedEmails } from './application/ports/received-emails.port.js';
export { ReceivedMailActions } from './application/ports/received-mail-actions.port.js';
export type { ActionOutcome } from './application/ports/received-mail-actions.port.js';
export { RecipientRouting } from './application/ports/recipient-routing.port.js';
export type { RecipientDecision, RecipientQuestion } from './application/ports/recipient-routing.port.js';
export { ServiceMailbox, ServiceMailboxes } from './application/ports/service-mailbox.port.js';
export type { ServiceMessage } from './application/ports/service-mailbox.port.js';
export { SpamScorer } from './application/ports/spam-scorer.port.js';
export type { ScannedMessage } from './application/ports/spam-scorer.port.js';
export { VirusScanner } from './application/ports/virus-scanner.port.js';
export { ReadReceived } from './application/read-received.query.js';
export { ReceiveMail } from './application/receive-mail.use-case.js';
export { ReplayReceived } from './application/replay-received.use-case.js';
export type { ReceivedAttachment, ReceivedEmail, SendingServer } from './domain/received-email.js';
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
export { inboundSchema } from './infrastructure/persistence/schema.js';
