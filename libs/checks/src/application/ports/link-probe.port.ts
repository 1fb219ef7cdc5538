import { LinkReply } from '../../domain/message-facts.js';

/**
 * Asks for the address of a link in the turn of a team, without a cookie and without reading what it leads to. It never
 * reaches private addresses, also by redirects.
 *
 * Never throws for anything the remote side did.
 */
export abstract class LinkProbe {
  /** `timeoutMs` includes the wait for the turn. */
  abstract ask(teamId: string, url: string, timeoutMs: number): Promise<LinkReply>;
}
