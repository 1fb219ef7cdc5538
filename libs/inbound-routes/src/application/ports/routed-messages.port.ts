import type { SigningKey } from '#domains';
import type { ReceivedEmail } from '#inbound';
import { DomainError } from '#kernel';
import { HeaderCondition, HeaderValue } from '../../domain/header-condition.js';

/** A received message in memory. */
export interface LoadedMessage {
  /** Our header fields, without Return-Path, which only the last server writes. */
  readonly trace: Uint8Array;
  /** The bytes as received. */
  readonly content: Uint8Array;
  /** `content` as it is sent after DATA: dot-stuffed, ending with CRLF. Made once for all deliveries. */
  readonly stuffed: Uint8Array;
  /** The fields of the message itself, decoded. */
  readonly header: readonly HeaderValue[];
  /** The same for all copies of a message that this service passed on (`originalOf`). */
  readonly originalId: string;
  /**
   * Holds it for a host too, which may be silent for minutes: until the function that is returned is called, once.
   * Undefined if messages at hosts hold as much memory as they may. Teams share that fairly.
   */
  holdForHost(): (() => void) | undefined;
  /** To be called after use, once. */
  release(): void;
}

export interface SealRequest {
  /** The whole message as it will leave, without the seal. May be moved: the caller must not use it afterwards. */
  readonly message: Uint8Array;
  readonly key: SigningKey;
  /** Our verdicts, in the form of an Authentication-Results field without its name. */
  readonly results: string;
  /** What this service found of the chain of seals: none, or a chain that is intact. */
  readonly chain: 'none' | 'pass';
  /** To whom the work is charged. */
  readonly owner: string;
}

export class MessageWaitsForMemoryError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Other messages are in memory; this one waits for its turn');
  }
}

/** Reads received messages, checks the conditions of routes on them, and seals those that are passed on. */
export abstract class RoutedMessages {
  /**
   * Reads a message whole. The memory is bounded, and shared fairly among teams. Waits for it for a short time and then
   * throws MessageWaitsForMemoryError. Throws NotFoundError if the content is removed.
   */
  abstract load(email: ReceivedEmail): Promise<LoadedMessage>;

  /**
   * Returns the conditions that hold. The work grows with conditions times header, so large amounts run outside of the
   * main thread and are charged to `teamId`. Throws a DomainError if it takes too long, or if too many messages wait.
   */
  abstract holding(
    teamId: string,
    conditions: readonly HeaderCondition[],
    header: readonly HeaderValue[],
  ): Promise<ReadonlySet<HeaderCondition>>;

  /**
   * The seal (ARC, RFC 8617) to put before a message that is passed on, so that receivers can believe our verdicts on
   * it; empty if it cannot be sealed. Never throws for what a message holds.
   */
  abstract seal(request: SealRequest): Promise<Uint8Array>;
}

export interface HandOverRequest {
  readonly protocol: 'smtp' | 'lmtp';
  /** Host name or IP address, as the team gave it. */
  readonly host: string;
  readonly port: number;
  /** Empty for the null sender. */
  readonly mailFrom: string;
  readonly recipient: string;
  /** Header fields in front of the content, with CRLF line ends. */
  readonly added: Uint8Array;
  /** The message as it is sent after DATA: dot-stuffed, ending with CRLF. Shared with other deliveries of the message. */
  readonly stuffed: Uint8Array;
}

/** `refused`: for good. `failed`: another attempt may succeed. */
export interface HandOverOutcome {
  readonly kind: 'delivered' | 'refused' | 'failed';
  /** The reply, or what went wrong. */
  readonly detail: string;
}

/** More than the longest delivery takes: the DNS, the connection, the transaction up to the dot, and the reply to it. */
export const maxHandOverMs = 6 * 60_000;

/** Hands a message to a host that a team names. Connects to private addresses only if the operator allows it. */
export abstract class HandOver {
  /** Never throws for anything that the host or the DNS does. Ends within `maxHandOverMs`. */
  abstract deliver(request: HandOverRequest): Promise<HandOverOutcome>;
}
