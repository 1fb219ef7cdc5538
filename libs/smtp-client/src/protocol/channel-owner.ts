import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpReply } from './smtp-reply.js';

/** Takes over a channel after the handshake. */
export interface ChannelOwner {
  replyArrived(reply: SmtpReply): void;
  /** Everything written before has reached the operating system. */
  drained(): void;
  idled(): void;
  /** Asked while the connection is silent in both directions, for `waitedMs` by now: a reason ends it before its deadline. */
  impatience(waitedMs: number): string | undefined;
  /** Called once, last. */
  failed(failure: SmtpFailure): void;
}
