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

export interface SegmentMembership {
  readonly teamId: string;
  readonly segmentId: string;
  readonly contactId: string;
}

export interface SegmentOfContact {
  /** Id of the segment. */
  readonly id: string;
  readonly name: string;
  /** When the contact joined. */
  readonly createdAt: Date;
}

/** Stores which contacts were added to which segments. */
export abstract class MembershipRepository {
  /** Returns those that are new. Each is given once. */
  abstract add(
    members: readonly SegmentMembership[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly SegmentMembership[]>;

  /** Returns false if the contact was no member. */
  abstract remove(member: SegmentMembership, transaction: Transaction): Promise<boolean>;

  /** How many contacts were added to each of these segments. Those without any are left out. */
  abstract sizesOf(segmentIds: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /** The segments of each contact, oldest segment first, at most `maxShownSegments`. */
  abstract segmentIdsOf(
    contactIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly string[]>>;

  /** Newest segment first. */
  abstract segmentsOf(teamId: string, contactId: string, page: PageRequest): Promise<Page<SegmentOfContact>>;
}
