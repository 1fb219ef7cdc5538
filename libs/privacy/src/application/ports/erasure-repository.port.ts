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
