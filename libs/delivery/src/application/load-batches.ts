import { ClaimedRecipient } from '../domain/finished-attempt.js';

/** Content read with one query, in bytes. */
const loadAtOnce = 4 * 1024 * 1024;

export type Recipients = readonly [ClaimedRecipient, ...ClaimedRecipient[]];

/** Recipients of one email together, in the order in which the emails were claimed. */
export function byEmail(claimed: readonly ClaimedRecipient[]): [emailId: string, recipients: Recipients][] {
  const groups = new Map<string, [ClaimedRecipient, ...ClaimedRecipient[]]>();
  for (const recipient of claimed) {
    const group = groups.get(recipient.emailId);
    if (group === undefined) groups.set(recipient.emailId, [recipient]);
    else group.push(recipient);
  }
  return [...groups];
}

/** Splits what was claimed so that no query reads much more than it should; recipients of one email stay together. */
export function loadBatches(claimed: readonly ClaimedRecipient[]): ClaimedRecipient[][] {
  const batches: ClaimedRecipient[][] = [];
  let size = Infinity;
  for (const [, recipients] of byEmail(claimed)) {
    const [{ size: emailSize }] = recipients;
    if (size + emailSize > loadAtOnce) {
      batches.push([]);
      size = 0;
    }
    batches[batches.length - 1]?.push(...recipients);
    size += emailSize;
  }
  return batches;
}
