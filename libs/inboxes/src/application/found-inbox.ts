import { found, isUuid } from '#kernel';
import { parseSoughtAddress } from '../domain/inbox-fields.js';
import { Inbox } from '../domain/inbox.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

/** By id or by address, in any case. Throws NotFoundError if the team has no such inbox. */
export async function foundInbox(inboxes: InboxRepository, teamId: string, idOrAddress: string): Promise<Inbox> {
  const sought = isUuid(idOrAddress) ? idOrAddress.toLowerCase() : parseSoughtAddress(idOrAddress);
  return found('Inbox', sought === undefined ? undefined : await inboxes.find(teamId, sought));
}
