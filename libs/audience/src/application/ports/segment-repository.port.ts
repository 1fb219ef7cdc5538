import { Page, PageRequest, Transaction } from '#kernel';
import { Segment } from '../../domain/segment.js';

/** Stores the segments of all teams. */
export abstract class SegmentRepository {
  /** Returns false if the team has `max` segments already. */
  abstract insert(segment: Segment, max: number, transaction: Transaction): Promise<boolean>;

  abstract find(teamId: string, id: string): Promise<Segment | undefined>;

  /** Protects the segments against removal until the transaction ends. Unknown ones are left out. */
  abstract hold(ids: readonly string[], transaction: Transaction): Promise<readonly Segment[]>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Segment>>;

  /** Returns false if the team has no such segment. */
  abstract update(segment: Segment, transaction: Transaction): Promise<boolean>;

  /** Returns false if the team has no such segment. Its members stay until they are removed in batches. */
  abstract delete(teamId: string, id: string, transaction: Transaction): Promise<boolean>;

  abstract count(teamId: string): Promise<number>;
}
