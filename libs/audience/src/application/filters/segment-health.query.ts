import { found } from '#kernel';
import { Injectable } from '@nestjs/common';
import { parseFilter } from '../../domain/filters/parse-filter.js';
import { MeasuredAudience } from '../../domain/measured-audience.js';
import { segmentThing } from '../../domain/segment.js';
import { FilteredContacts } from '../ports/filtered-contacts.port.js';
import { SegmentRepository } from '../ports/segment-repository.port.js';

/** What is known of the members of a segment before they are written to. */
@Injectable()
export class SegmentHealth {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly contacts: FilteredContacts,
  ) {}

  async measure(teamId: string, segmentId: string, topicId: string | null): Promise<MeasuredAudience> {
    const { id, filter } = found(segmentThing, await this.segments.find(teamId, segmentId));
    return this.contacts.measure(teamId, { id, filter: filter === null ? null : parseFilter(filter) }, topicId);
  }
}
