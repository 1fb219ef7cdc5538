import { Injectable } from '@nestjs/common';
import { found } from '#kernel';
import { parseFilter } from '../../domain/filters/parse-filter.js';
import { MeasuredAudience } from '../../domain/measured-audience.js';
import {
  maxFilteredSegments,
  metricsOfCount,
  SegmentMetricsRequest,
  TooManyFilteredSegmentsError,
} from '../../domain/segment-metrics.js';
import { maxSegments, Segment, segmentThing } from '../../domain/segment.js';
import { FilterCount, FilteredContacts } from '../ports/filtered-contacts.port.js';
import { SegmentRepository } from '../ports/segment-repository.port.js';

export interface CountedSegment {
  readonly segment: Segment;
  readonly count: FilterCount;
}

export interface CountedSegments {
  /** Of all contacts of the team; of the segment if one is chosen. */
  readonly totals: FilterCount;
  /** In the order of the request. Empty if the segments are not asked for. */
  readonly segments: readonly CountedSegment[];
}

/** Counts the contacts of a team and of its segments, as they are now. */
@Injectable()
export class SegmentMetrics {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly contacts: FilteredContacts,
  ) {}

  async count(teamId: string, request: SegmentMetricsRequest): Promise<CountedSegments> {
    const chosen = await this.chosen(teamId, request);
    const counted = await this.counted(teamId, chosen);
    const [only] = counted;
    const isOne = request.segmentIds?.length === 1 && only !== undefined;
    const totals = isOne ? only.count : await this.contacts.count(teamId, undefined);
    return { totals, segments: request.bySegment ? sorted(counted, request) : [] };
  }

  private async chosen(teamId: string, { segmentIds, bySegment }: SegmentMetricsRequest): Promise<readonly Segment[]> {
    if (segmentIds !== undefined) {
      const all = await Promise.all(segmentIds.map((id) => this.segments.find(teamId, id)));
      return all.map((segment) => found(segmentThing, segment));
    }
    return bySegment ? (await this.segments.list(teamId, { limit: maxSegments })).items : [];
  }

  /** One after the other, because each filter takes a processor of PostgreSQL. */
  private async counted(teamId: string, segments: readonly Segment[]): Promise<CountedSegment[]> {
    if (segments.filter(({ filter }) => filter !== null).length > maxFilteredSegments) {
      throw new TooManyFilteredSegmentsError();
    }
    const plain = segments.filter(({ filter }) => filter === null).map(({ id }) => id);
    const members =
      plain.length === 0 ? new Map<string, FilterCount>() : await this.contacts.countMembers(teamId, plain);
    const counted: CountedSegment[] = [];
    for (const segment of segments) {
      const count =
        segment.filter === null
          ? (members.get(segment.id) ?? { contacts: 0, subscribed: 0 })
          : await this.contacts.count(teamId, parseFilter(segment.filter));
      counted.push({ segment, count });
    }
    return counted;
  }
}

function sorted(counted: readonly CountedSegment[], { sortBy, sortOrder }: SegmentMetricsRequest): CountedSegment[] {
  const value = ({ count }: CountedSegment): number => metricsOfCount(count, [sortBy])[sortBy] ?? 0;
  const direction = sortOrder === 'asc' ? 1 : -1;
  return [...counted].sort((a, b) => direction * (value(a) - value(b)));
}

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
