export { UnsubscribeByMail } from './application/unsubscribe-by-mail.use-case.js';
export { type UnsubscribeLink } from './application/ports/unsubscribing.port.js';
export { MailUnsubscribe } from './infrastructure/rendering/mail-unsubscribe.js';
export type { UnsubscribeOffer } from './infrastructure/rendering/mail-unsubscribe.js';
export { unsubscribeSchema } from './infrastructure/persistence/schema.js';
export { UnsubscribeHttpModule, UnsubscribeLinksModule, UnsubscribeModule } from './unsubscribe.module.js';
