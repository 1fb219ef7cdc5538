import type { SigningKey } from '#domains';

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

/** Seals messages that are passed on (ARC, RFC 8617), so that receivers can believe our verdicts on them. */
export abstract class MessageSealer {
  /** The header fields to put before the message; empty where it cannot be sealed. Never throws for what a message holds. */
  abstract seal(request: SealRequest): Promise<Uint8Array>;
}
