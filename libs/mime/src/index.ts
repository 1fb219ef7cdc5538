export { composeMessage, type ComposableMessage } from './compose-message.js';
export { type Attachment } from './mime-part.js';
export { needsSmtpUtf8 } from './header-encoding.js';
export { isSafeHeader, UnsafeHeaderError } from './header-field.js';
export { finishMessage, type FinishingOptions } from './finish-message.js';
export { readHeaderFields, splitMessage, type HeaderField } from './dkim-header.js';
export { parseDkimKey, type DkimAlgorithm, type DkimKey } from './dkim-key.js';
export { dkimBodyHashOf, dkimSignatures, signMessage, type SigningOptions } from './dkim-signer.js';
export { htmlToText } from './html-to-text.js';
