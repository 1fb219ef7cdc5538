import { Principal } from '#identity';
import { InboxEventSource } from '../domain/inbox-events.js';

/** A signed-in user works in the dashboard. Everyone else, also a tool that acts for a user, calls the API. */
export function sourceOf({ actor, tool }: Pick<Principal, 'actor' | 'tool'>): InboxEventSource {
  return actor.kind === 'user' && tool === null ? 'dashboard' : 'api';
}
