import { ApiProperty, ApiPropertyOptional, Flag, Id, OneOf, Text, Texts, Whole } from '#platform/openapi';
import { segmentMetrics } from '../../domain/segment-metrics.js';
import { ContactSummaryResponse } from './contact.response.js';

export class SegmentPreviewResponse {
  @OneOf('segment_preview') object!: 'segment_preview';
  @Whole() all_contacts!: number;
  @Whole() subscribers!: number;
  @Whole() unsubscribers!: number;
  @Flag() estimated!: boolean;
  @ApiProperty({ type: [ContactSummaryResponse] }) sample!: ContactSummaryResponse[];
}

export class SegmentCountsResponse {
  @ApiPropertyOptional({ type: 'integer' }) all_contacts?: number;
  @ApiPropertyOptional({ type: 'integer' }) subscribers?: number;
  @ApiPropertyOptional({ type: 'integer' }) unsubscribers?: number;
}

export class SegmentRowResponse extends SegmentCountsResponse {
  @Id() segment_id!: string;
  @Text() segment_name!: string;
}

export class SegmentsMetricsResponse {
  @OneOf('segments_metrics') object!: 'segments_metrics';
  @Texts() metrics!: string[];
  @Texts() dimensions!: string[];
  @OneOf(...segmentMetrics) sort_by!: string;
  @OneOf('asc', 'desc') sort_order!: 'asc' | 'desc';
  @ApiProperty({ type: SegmentCountsResponse }) totals!: SegmentCountsResponse;
  @ApiPropertyOptional({ type: [SegmentRowResponse] }) data?: SegmentRowResponse[];
}
