import { ClaimedRecipient } from '../domain/finished-attempt.js';

export type Recipients = readonly [ClaimedRecipient, ...ClaimedRecipient[]];

/** Groups recipients by email, in the order in which the emails were claimed. */
export function byEmail(claimed: readonly ClaimedRecipient[]): Recipients[] {
  const groups = new Map<string, [ClaimedRecipient, ...ClaimedRecipient[]]>();
  for (const recipient of claimed) {
    const group = groups.get(recipient.emailId);
    if (group === undefined) groups.set(recipient.emailId, [recipient]);
    else group.push(recipient);
  }
  return [...groups.values()];
}
