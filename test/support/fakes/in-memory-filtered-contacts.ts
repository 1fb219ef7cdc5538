import { Page, pageOf, PageRequest } from '#kernel';
import { CheckFilter } from '../../../libs/audience/src/application/filters/check-filter.query.js';
import { SegmentMembers } from '../../../libs/audience/src/application/filters/segment-members.query.js';
import {
  FilterCount,
  FilteredContacts,
  FilterPreview,
} from '../../../libs/audience/src/application/ports/filtered-contacts.port.js';
import { Contact } from '../../../libs/audience/src/domain/contact.js';
import { KnownReferences } from '../../../libs/audience/src/domain/filters/check-references.js';
import { Filter } from '../../../libs/audience/src/domain/filters/filter.js';
import { MeasuredAudience } from '../../../libs/audience/src/domain/measured-audience.js';
import { InMemoryAudience } from './in-memory-audience.js';
import { matchesFilter } from '../builders/matches-filter.js';

/**
 * Evaluates filters for the contacts of an audience in memory: their fields and properties, not their groups,
 * broadcasts and activity.
 */
export class InMemoryFilteredContacts extends FilteredContacts {
  constructor(private readonly audience: InMemoryAudience) {
    super();
  }

  async known(teamId: string): Promise<KnownReferences> {
    const { properties, topics, segments } = this.audience;
    const known = await properties.ofTeams([teamId]);
    return {
      properties: new Map(known.map(({ key, type }) => [key, type])),
      topics: new Map(
        topics.rows
          .where((topic) => topic.teamId === teamId)
          .map(({ id, defaultSubscription }) => [id, defaultSubscription]),
      ),
      segments: new Map(
        segments.rows
          .where((segment) => segment.teamId === teamId)
          .map(({ id, filter }) => [id, { isFiltered: filter !== null }]),
      ),
      broadcasts: new Set(),
    };
  }

  async count(teamId: string, filter: Filter | undefined): Promise<FilterCount> {
    return countOf(await this.matches(teamId, filter));
  }

  async preview(teamId: string, filter: Filter, sampleSize: number): Promise<FilterPreview> {
    const matches = await this.matches(teamId, filter);
    return { ...countOf(matches), isEstimated: false, sample: [...matches].reverse().slice(0, sampleSize) };
  }

  async countMembers(teamId: string, segmentIds: readonly string[]): Promise<ReadonlyMap<string, FilterCount>> {
    const counts = new Map<string, FilterCount>();
    for (const segmentId of segmentIds) {
      const { items } = await this.audience.contacts.list(teamId, { limit: 1_000 }, { segmentId });
      if (items.length > 0) counts.set(segmentId, countOf(items));
    }
    return counts;
  }

  /** What the contacts themselves say. */
  async measure(
    teamId: string,
    { id, filter }: { readonly id: string; readonly filter: Filter | null },
  ): Promise<MeasuredAudience> {
    const contacts =
      filter === null
        ? (await this.audience.contacts.list(teamId, { limit: 1_000 }, { segmentId: id })).items
        : await this.matches(teamId, filter);
    const { subscribed } = countOf(contacts);
    return {
      members: contacts.length,
      isEstimated: false,
      measured: contacts.length,
      withoutTopic: 0,
      unsubscribed: contacts.length - subscribed,
      suppressed: { bounce: 0, complaint: 0, manual: 0 },
      recipients: subscribed,
      neverMailed: subscribed,
      engaged: 0,
      silent: 0,
      imported: 0,
      imports: [],
    };
  }

  async page(teamId: string, filter: Filter, page: PageRequest): Promise<Page<Contact>> {
    return pageOf(page, [...(await this.matches(teamId, filter))].reverse());
  }

  async next(teamId: string, filter: Filter, after: string | undefined, limit: number): Promise<readonly Contact[]> {
    const matches = await this.matches(teamId, filter);
    return matches.filter(({ id }) => after === undefined || id > after).slice(0, limit);
  }

  /** Oldest first. */
  private async matches(teamId: string, filter: Filter | undefined): Promise<readonly Contact[]> {
    const contacts = await this.audience.contacts.next(teamId, undefined, 1_000);
    if (filter === undefined) return contacts;
    const known = await this.known(teamId);
    const nothing = { topics: new Map(), segmentIds: new Set<string>(), broadcasts: new Map(), lastActivity: {} };
    return contacts.filter((contact) =>
      matchesFilter(filter, { ...contact, ...nothing }, known, this.audience.clock.now()),
    );
  }
}

/** What the filters of an audience in memory need. */
export function inMemoryFilters(audience: InMemoryAudience): {
  readonly filtered: FilteredContacts;
  readonly check: CheckFilter;
  readonly members: SegmentMembers;
} {
  const filtered = new InMemoryFilteredContacts(audience);
  return {
    filtered,
    check: new CheckFilter(filtered),
    members: new SegmentMembers(audience.segments, audience.contacts, filtered),
  };
}

function countOf(contacts: readonly Contact[]): FilterCount {
  return { contacts: contacts.length, subscribed: contacts.filter(({ unsubscribed }) => !unsubscribed).length };
}
