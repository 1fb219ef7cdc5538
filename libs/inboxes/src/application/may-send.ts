import { SenderNotAllowedError } from '#emails';
import type { Principal } from '#identity';
import { Inbox } from '../domain/inbox.js';

/** Keys that may only send have no access to inboxes: sending from one needs both permissions. */
export function requireSending(principal: Principal): void {
  principal.require('emails:write');
  principal.require('emails:send');
}

/** Throws if the principal may send from another domain only. */
export function requireSender(principal: Principal, { domainId }: Inbox): void {
  if (!principal.isForDomain(domainId)) throw new SenderNotAllowedError();
}
