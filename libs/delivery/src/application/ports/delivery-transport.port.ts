import { DeliveryOutcome, OutboundMessage } from '../../domain/attempt.js';
import { LaneLimits } from '../../domain/lane-limits.js';

/**
 * Gives one message to one receiving host and reports what became of each recipient.
 *
 * `deliver` never throws for anything the remote side did: refusals, timeouts and dropped connections are outcomes. It
 * throws only when the attempt could not be made at all, and then nothing was sent; the caller defers the message.
 *
 * Many calls run at once. The implementer pools and reuses connections, keeps a deadline on every I/O so that each
 * call ends, and holds no more than `concurrencyOf(lane)` messages at a time for one lane.
 */
export abstract class DeliveryTransport {
  /**
   * Whether all recipients of an email go in one transaction, under the return path of the first. True only for
   * transports from which no bounce ever returns: see `ReturnPaths`.
   */
  readonly sharesTransactions: boolean = false;

  /** Maximum number of `deliver` calls of one lane at the same time. At least 1. */
  abstract concurrencyOf(lane: string): number;

  /** What holds back messages of the lane that were handed over; undefined if nothing does. */
  limitsOf(_lane: string): LaneLimits | undefined {
    return undefined;
  }

  /** One outcome per recipient, in the order of `message.recipients`. */
  abstract deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]>;

  /**
   * The program is about to stop. Rejects deliveries that wait for a connection or for their turn, and all later ones,
   * with `NotAttemptedError`. Deliveries under way go on.
   */
  withdraw(): void {}

  /** Closes all connections after the deliveries under way have ended. No `deliver` follows. */
  abstract close(): Promise<void>;
}

/** Port of the built-in receiving server on loopback. Provided by the sandbox. */
export abstract class SandboxAddress {
  /** 0 in a process that does not deliver: it knows the sandbox's lane and never connects. */
  abstract readonly port: number;
}
