import { found, isUuid } from '#kernel';
import { Principal } from '#identity';
import { SenderNotAllowedError } from '#emails';
import { InboxEventSource } from '../domain/inbox-events.js';
import { parseSoughtAddress } from '../domain/inbox-fields.js';
import { Inbox } from '../domain/inbox.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

/** By id or by address, in any case. Throws NotFoundError if the team has no such inbox. */
export async function foundInbox(inboxes: InboxRepository, teamId: string, idOrAddress: string): Promise<Inbox> {
  const sought = isUuid(idOrAddress) ? idOrAddress.toLowerCase() : parseSoughtAddress(idOrAddress);
  return found('Inbox', sought === undefined ? undefined : await inboxes.find(teamId, sought));
}

/** A signed-in user works in the dashboard. Everyone else, also a tool that acts for a user, calls the API. */
export function sourceOf({ actor, tool }: Pick<Principal, 'actor' | 'tool'>): InboxEventSource {
  return actor.kind === 'user' && tool === null ? 'dashboard' : 'api';
}

/** Keys that may only send have no access to inboxes: sending from one needs both permissions. */
export function requireSending(principal: Principal): void {
  principal.require('emails:write');
  principal.require('emails:send');
}

/** Throws if the principal may send from another domain only. */
export function requireSender(principal: Principal, { domainId }: Inbox): void {
  if (!principal.isForDomain(domainId)) throw new SenderNotAllowedError();
}
