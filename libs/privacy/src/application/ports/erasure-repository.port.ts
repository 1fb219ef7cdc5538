import { Page, PageRequest } from '#kernel';
import { Erasure, ErasureProgress, LeasedErasure } from '../../domain/erasure.js';

/** Stores erasures. The address of a pending one is encrypted, that of a completed one is gone. */
export abstract class ErasureRepository {
  abstract insert(erasure: Erasure, address: string, dueAt: Date): Promise<void>;

  abstract find(teamId: string, id: string): Promise<Erasure | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Erasure>>;

  /**
   * Leases a due erasure to the holder, or renews its lease. Undefined if none is due, or if others work on all of
   * them.
   */
  abstract claim(holder: string, now: Date): Promise<LeasedErasure | undefined>;

  /** The holder still works on it. */
  abstract renew(id: string, holder: string): Promise<void>;

  abstract save(id: string, holder: string, progress: ErasureProgress): Promise<void>;

  /** Ends the lease. The erasure continues from its position at this time. */
  abstract delay(id: string, holder: string, until: Date): Promise<void>;

  /** Ends the lease. The erasure starts over at this time. */
  abstract postpone(id: string, holder: string, counts: ErasureProgress['counts'], until: Date): Promise<void>;

  /** Forgets the address. */
  abstract complete(id: string, holder: string, counts: ErasureProgress['counts'], now: Date): Promise<void>;
}

export interface Subject {
  readonly teamId: string;
  /** In lower case. */
  readonly address: string;
}

export interface Portion {
  readonly erased: number;
  /** Where the next portion begins; undefined at the end. */
  readonly next: string | undefined;
  /** Whether something could not be erased yet. */
  readonly isWaiting: boolean;
}

/** Everything in the program that stores something about addresses. */
export abstract class DataHolders {
  /** Names of the lists, in the order in which they are worked through. */
  abstract readonly names: readonly string[];

  abstract records(name: string, subject: Subject): AsyncIterable<object>;

  /** Erases one bounded portion. It may be repeated. */
  abstract erase(name: string, subject: Subject, after: string | undefined): Promise<Portion>;
}
