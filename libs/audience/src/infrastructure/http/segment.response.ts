import { toResponse } from '#http/server';
import { Always, Deleted, Field, Id, Moment, OneOf, ReferenceTo, Shape, Text, WholeOrNull } from '#http/openapi';
import { Segment, SegmentFilter } from '../../domain/segment.js';
import { segmentId } from './example-ids.js';

const segmentKinds = ['static', 'filter'] as const;
type SegmentKind = (typeof segmentKinds)[number];

/** The answer to creating a segment (docs/wire-contract.md section 13). */
@Shape('The segment that was created.')
export class CreatedSegmentResponse {
  @Always('segment') object!: 'segment';
  @Id('Id of the segment.', segmentId) id!: string;
  @Text('Name of the segment.', 'Customers') name!: string;
}

@Shape('The segment that was written.')
export class SegmentReferenceResponse extends ReferenceTo('segment', 'Id of the segment.', segmentId) {}

@Shape('The segment that was deleted.')
export class RemovedSegmentResponse extends Deleted(SegmentReferenceResponse) {}

@Shape('A segment in a list.')
export class SegmentSummaryResponse {
  @Id('Id of the segment.', segmentId) id!: string;
  @Id('The same id, under its old name.', segmentId) audience_id!: string;
  @Text('Name of the segment.', 'Customers') name!: string;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('A segment in a list, with its size.')
export class ListedSegmentResponse extends SegmentSummaryResponse {
  @OneOf(segmentKinds, '`static`: contacts are added one by one. `filter`: they follow from conditions.', 'static')
  kind!: SegmentKind;
  @WholeOrNull(
    'Number of its contacts; null if they follow from conditions, which `GET /segments/metrics` counts.',
    1250,
  )
  contacts!: number | null;
}

@Shape('A segment.')
export class SegmentResponse extends SegmentSummaryResponse {
  @Always('segment') object!: 'segment';
  @Field('The conditions; null if contacts are added one by one.', {
    type: 'object',
    additionalProperties: true,
    nullable: true,
  })
  filter!: SegmentFilter | null;
}

@Shape('The segment that was created.')
export class CreatedAudienceResponse {
  @Always('audience') object!: 'audience';
  @Id('Id of the segment.', segmentId) id!: string;
  @Text('Name of the segment.', 'Customers') name!: string;
}

@Shape('A segment in a list.')
export class AudienceSummaryResponse {
  @Id('Id of the segment.', segmentId) id!: string;
  @Text('Name of the segment.', 'Customers') name!: string;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('A segment.')
export class AudienceResponse extends AudienceSummaryResponse {
  @Always('audience') object!: 'audience';
}

@Shape('The segment that was deleted.')
export class RemovedAudienceResponse extends Deleted(ReferenceTo('audience', 'Id of the segment.', segmentId)) {}

export function listedSegment(segment: Segment, contacts: number | undefined): ListedSegmentResponse {
  const kind = segment.filter === null ? 'static' : 'filter';
  return { ...segmentSummary(segment), kind, contacts: contacts ?? null };
}

export function segmentSummary(segment: Segment): SegmentSummaryResponse {
  return { ...audienceSummary(segment), audience_id: segment.id };
}

export const audienceSummary = (segment: Segment): AudienceSummaryResponse =>
  toResponse(AudienceSummaryResponse, segment);

export function segmentResponse(segment: Segment): SegmentResponse {
  return { object: 'segment', ...segmentSummary(segment), filter: segment.filter };
}
