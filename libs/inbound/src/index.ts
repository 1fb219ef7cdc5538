export { ReceivedMailActions } from './application/ports/received-mail-actions.port.js';
export type { ActionOutcome } from './application/ports/received-mail-actions.port.js';
export { RecipientRouting } from './application/ports/recipient-routing.port.js';
export type { RecipientDecision, RecipientQuestion } from './application/ports/recipient-routing.port.js';
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
export { inboundSchema } from './infrastructure/persistence/schema.js';
