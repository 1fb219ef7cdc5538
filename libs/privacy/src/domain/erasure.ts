import type { Actor } from '#identity';

/** A request to erase what is stored about an address, and the record that it was done. */
export interface Erasure {
  readonly id: string;
  readonly teamId: string;
  /** The address itself is not kept. */
  readonly addressHash: string;
  readonly status: 'pending' | 'completed';
  /** Number of records from which something was erased, by list. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether mail to the address is still being delivered. It is erased afterwards. */
  readonly isWaiting: boolean;
  readonly actor: Actor;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** An erasure that this process works on. */
export interface ErasureWork {
  readonly id: string;
  readonly teamId: string;
  readonly address: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly isWaiting: boolean;
  /** The list that is being erased, and how far; null at the beginning. */
  readonly holder: string | null;
  readonly position: string | null;
}

/** Work whose address is not open yet. */
export interface LeasedErasure extends Omit<ErasureWork, 'address'> {
  /** Fails if the address was sealed with a key that is gone. */
  readonly openAddress: () => string;
}

/** How far an erasure has come. */
export type ErasureProgress = Pick<ErasureWork, 'counts' | 'isWaiting' | 'holder' | 'position'>;
