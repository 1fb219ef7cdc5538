import { ValidationError } from '#kernel';

/** A group of contacts: members that were added, or, if there is a filter, the contacts that match it. */
export interface Segment {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly filter: SegmentFilter | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The conditions of a segment as they were given. */
export type SegmentFilter = Readonly<Record<string, unknown>>;

export const maxSegments = 1_000;
export const maxSegmentNameLength = 255;
/** Maximum number of segments of one contact that are shown in an event. */
export const maxShownSegments = 1_000;

/** The contract's old word stays in the message of a segment that does not exist. */
export const segmentThing = 'Audience';

export class FilteredSegmentError extends ValidationError {
  constructor({ name }: Segment) {
    super(`The members of the segment \`${name}\` follow from its filter. They cannot be added or removed.`);
  }
}

/** Throws FilteredSegmentError if members cannot be added or removed. */
export function requireStatic(segment: Segment): void {
  if (segment.filter !== null) throw new FilteredSegmentError(segment);
}
