import { Page, PageRequest, Transaction } from '#kernel';

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
