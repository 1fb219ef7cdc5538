import { Page, PageRequest } from '#kernel';
import { Contact } from '../../domain/contact.js';
import { KnownReferences } from '../../domain/filters/check-references.js';
import { Filter, FilterReferences } from '../../domain/filters/filter.js';
import { MeasuredAudience } from '../../domain/measured-audience.js';

/** Contacts of a filter, and those of them that get broadcasts. */
export interface FilterCount {
  readonly contacts: number;
  readonly subscribed: number;
}

export interface FilterPreview extends FilterCount {
  /** The counts are computed from a sample of the contacts. */
  readonly isEstimated: boolean;
  /** Contacts that match: the newest ones, or the newest of the sample. */
  readonly sample: readonly Contact[];
}

/**
 * Finds the contacts that match a filter now. Takes time that grows with the contacts of the team, never with its
 * emails and events, so a team has few such reads at once; further ones wait a moment, and are then refused.
 */
export abstract class FilteredContacts {
  /** What exists of the things that a filter names. */
  abstract known(teamId: string, references: FilterReferences): Promise<KnownReferences>;

  /** All contacts of the team if there is no filter. */
  abstract count(teamId: string, filter: Filter | undefined): Promise<FilterCount>;

  /**
   * Takes under half a second however many contacts the team has: of a large team it reads a sample, and counts exactly
   * only if that is quick.
   */
  abstract preview(teamId: string, filter: Filter, sampleSize: number): Promise<FilterPreview>;

  /** The members that were added to segments, by segment. Segments without members are left out. */
  abstract countMembers(teamId: string, segmentIds: readonly string[]): Promise<ReadonlyMap<string, FilterCount>>;

  /**
   * What is known of the members of a segment: added ones, or those that match its filter. Of more than `maxMeasured`
   * it looks at a sample. Throws AudienceNotMeasuredError after about two seconds.
   */
  abstract measure(
    teamId: string,
    segment: { readonly id: string; readonly filter: Filter | null },
    topicId: string | null,
  ): Promise<MeasuredAudience>;

  /** Newest first. */
  abstract page(teamId: string, filter: Filter, page: PageRequest): Promise<Page<Contact>>;

  /** Oldest first, behind the contact with this id. */
  abstract next(teamId: string, filter: Filter, after: string | undefined, limit: number): Promise<readonly Contact[]>;
}
