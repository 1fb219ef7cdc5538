import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact } from '../../domain/contact.js';
import { Filter } from '../../domain/filters/filter.js';
import { parseFilter } from '../../domain/filters/parse-filter.js';
import { Segment, segmentThing } from '../../domain/segment.js';
import { ContactRepository, ContactSearch } from '../ports/contact-repository.port.js';
import { FilteredContacts } from '../ports/filtered-contacts.port.js';
import { SegmentRepository } from '../ports/segment-repository.port.js';

/** The members of a segment: those that were added to it, or those that match its filter now. */
@Injectable()
export class SegmentMembers {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly contacts: ContactRepository,
    private readonly filtered: FilteredContacts,
  ) {}

  /** Newest first. */
  async page(teamId: string, segmentId: string, page: PageRequest, search?: ContactSearch): Promise<Page<Contact>> {
    const segment = await this.segment(teamId, segmentId);
    if (segment.filter === null) return this.contacts.list(teamId, page, { segmentId, search });
    return this.filtered.page(teamId, withSearch(parseFilter(segment.filter), search), page);
  }

  /**
   * The members behind a contact, oldest first, for those who work through all of them. Each call sees the members of
   * its moment: who needs a fixed audience writes it down while it reads.
   */
  async next(teamId: string, segmentId: string, after: string | undefined, limit: number): Promise<readonly Contact[]> {
    const segment = await this.segment(teamId, segmentId);
    if (segment.filter === null) return this.contacts.next(teamId, after, limit, segmentId);
    return this.filtered.next(teamId, parseFilter(segment.filter), after, limit);
  }

  private async segment(teamId: string, segmentId: string): Promise<Segment> {
    return found(segmentThing, await this.segments.find(teamId, segmentId));
  }
}

function withSearch(filter: Filter, search: ContactSearch | undefined): Filter {
  if (search === undefined) return filter;
  const begins = (subject: 'email' | 'first_name' | 'last_name', value: string): Filter => ({
    kind: 'text',
    subject,
    operator: 'starts_with',
    value,
  });
  const { text, names = [] } = search;
  const found: Filter[] = [begins('email', text), begins('first_name', text), begins('last_name', text)];
  for (const { first, last } of names) {
    const isFirst: Filter = { kind: 'text', subject: 'first_name', operator: 'eq', value: first };
    found.push({ kind: 'and', filters: [isFirst, begins('last_name', last)] });
  }
  return { kind: 'and', filters: [filter, { kind: 'or', filters: found }] };
}
