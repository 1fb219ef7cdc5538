import { found, isUuid } from '#kernel';
import { Inbox } from '../domain/inbox.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

/** Throws NotFoundError. The address may be in any case. */
export async function foundInbox(inboxes: InboxRepository, teamId: string, idOrAddress: string): Promise<Inbox> {
  const key = idOrAddress.toLowerCase();
  const isKey = isUuid(key) || key.includes('@');
  return found('Inbox', isKey ? await inboxes.find(teamId, key) : undefined);
}
