/** A message that has arrived completely. */
export interface SpooledContent {
  readonly id: string;
  readonly size: number;
  /** SHA-256, in hex. */
  readonly digest: string;
  /** Undefined for a large message: its bytes are already in the message store. */
  readonly bytes: Uint8Array | undefined;
}

/** Bytes that count against the memory for contents until they are released. */
export interface LoadedContent {
  readonly bytes: Uint8Array;
  release(): void;
}

/**
 * Keeps the content of a message from its arrival to the acceptance. Small ones stay in memory and are stored with the accepting
 * transaction; large ones go to the message store piece by piece. All memory is bounded.
 */
export abstract class ContentSpool {
  /** Reads all of the content. Where `content` throws, it throws the same error and keeps nothing. */
  abstract take(id: string, content: AsyncIterable<Uint8Array>): Promise<SpooledContent>;

  /**
   * A copy of all bytes, which the caller may move. Waits for memory, charged to `owner`; throws a DomainError of kind
   * `unavailable` where that takes too long.
   */
  abstract load(content: SpooledContent, owner: string): Promise<LoadedContent>;

  /** The bytes in pieces, for a reader outside of this process. */
  abstract read(content: SpooledContent): AsyncIterable<Uint8Array>;

  /** To be called once the message is accepted or refused. */
  abstract release(content: SpooledContent): void;
}
