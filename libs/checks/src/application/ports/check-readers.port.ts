import { LinkReply, MessageFacts } from '../../domain/message-facts.js';

/** Reads what the checks look at, outside the main thread. */
export abstract class MessageReader {
  /**
   * The bytes may be moved, so that the caller must not use them afterwards. Throws `UncheckableError` if the message is
   * too complex.
   */
  abstract read(bytes: Uint8Array, teamId: string): Promise<MessageFacts>;
}

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

/** Knows the domains of providers whose mailboxes anybody may open for some minutes. */
export abstract class DisposableDomains {
  /** The domain is in lower case. Those above it are asked for by the caller. */
  abstract has(domain: string): boolean;
}
