import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpReply } from './smtp-reply.js';

/** Handles a channel after the handshake. */
export interface ChannelOwner {
  replyArrived(reply: SmtpReply): void;
  /** All bytes written before have reached the operating system. */
  drained(): void;
  idled(): void;
  /**
   * Called while the connection is silent in both directions and has been so for `waitedMs`. A returned reason ends the
   * connection before its deadline.
   */
  impatience(waitedMs: number): string | undefined;
  /** Called once, as the last call. */
  failed(failure: SmtpFailure): void;
}
