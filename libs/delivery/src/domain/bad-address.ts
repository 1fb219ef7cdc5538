import { AttemptDetail } from './delivery-outcome.js';

/**
 * Permanent replies that speak of the address itself (RFC 3463 section 3.2): no such mailbox, no such host, bad syntax,
 * mailbox moved, host that takes no mail (RFC 7505). Full mailboxes, policy, content and reputation are not among them.
 */
const badAddressCodes = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);
/** Servers without enhanced codes say it in words. Only words that cannot mean anything else count. */
const badAddressWords =
  /\b(?:no such (?:user|recipient|mailbox|address)|(?:user|recipient|mailbox|address) unknown|unknown (?:user|recipient|mailbox)|(?:user|mailbox|account|address) (?:does not|doesn't) exist|no mailbox here)\b/i;

/** Whether a bounce tells that nobody will ever receive mail there: the only kind that suppresses an address. */
export function isBadAddress({ replyCode, enhancedCode, replyText }: AttemptDetail): boolean {
  if (enhancedCode !== undefined) return badAddressCodes.has(enhancedCode);
  return replyCode !== undefined && [550, 551, 553].includes(replyCode) && badAddressWords.test(replyText ?? '');
}
