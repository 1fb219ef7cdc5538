import { timestamp } from '#platform/http';
import { Always, ApiProperty, Id, Moment, OneOf, Text } from '#platform/openapi';
import { Segment, SegmentFilter } from '../../domain/segment.js';

/** The answer to creating a segment (docs/wire-contract.md section 13). */
export class CreatedSegmentResponse {
  @OneOf('segment') object!: 'segment';
  @Id() id!: string;
  @Text() name!: string;
}

export class SegmentReferenceResponse {
  @OneOf('segment') object!: 'segment';
  @Id() id!: string;
}

export class RemovedSegmentResponse extends SegmentReferenceResponse {
  @Always(true) deleted!: true;
}

export class SegmentSummaryResponse {
  @Id() id!: string;
  @Text() name!: string;
  @Moment() created_at!: string;
}

export class SegmentResponse extends SegmentSummaryResponse {
  @OneOf('segment') object!: 'segment';
  @Id() audience_id!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) filter!: SegmentFilter | null;
}

export class CreatedAudienceResponse {
  @OneOf('audience') object!: 'audience';
  @Id() id!: string;
  @Text() name!: string;
}

export class AudienceResponse extends SegmentSummaryResponse {
  @OneOf('audience') object!: 'audience';
}

export class RemovedAudienceResponse {
  @OneOf('audience') object!: 'audience';
  @Id() id!: string;
  @Always(true) deleted!: true;
}

export function segmentSummary({ id, name, createdAt }: Segment): SegmentSummaryResponse {
  return { id, name, created_at: timestamp(createdAt) };
}

export function segmentResponse(segment: Segment): SegmentResponse {
  return { object: 'segment', ...segmentSummary(segment), audience_id: segment.id, filter: segment.filter };
}
