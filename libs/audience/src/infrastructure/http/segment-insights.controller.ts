import { Audited, changesNothing, Requires, PermissionsOf, TeamId } from '#identity';
import { NotFoundError } from '#kernel';
import { Describes, Operation, QueryList, QueryParameter, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { parseFilter } from '../../domain/filters/parse-filter.js';
import { segmentThing } from '../../domain/segment.js';
import { PreviewFilter } from '../../application/filters/check-filter.query.js';
import { SegmentMetrics } from '../../application/filters/segment-metrics.query.js';
import {
  maxFilteredSegments,
  metricsOfCount,
  segmentMetrics,
  TooManyFilteredSegmentsError,
} from '../../domain/segment-metrics.js';
import { segmentId } from './example-ids.js';
import { contactSummary } from './contact.response.js';
import { decodePreview, decodeSegmentMetrics, PreviewSegmentRequest } from './segment-insights.request.js';
import type { SegmentMetricsQuery } from './segment-insights.request.js';
import { SegmentPreviewResponse, SegmentRowResponse, SegmentsMetricsResponse } from './segment-insights.response.js';

/** What is in segments, and what a filter would find. */
@Controller('segments')
@Describes('Segments')
@PermissionsOf('audience')
export class SegmentInsightsController {
  constructor(
    private readonly previewFilter: PreviewFilter,
    private readonly segmentMetrics: SegmentMetrics,
  ) {}

  @Post('preview')
  @Operation(
    'Preview a filter',
    'Counts the contacts that match a filter now, and shows some of them. Nothing is stored.',
  )
  @Takes(PreviewSegmentRequest, 'The filter.')
  @Responses(SegmentPreviewResponse, 'The contacts that match.')
  @Refuses(() => [() => parseFilter({ type: 'rule', field: 'age', operator: 'eq' })])
  @Audited(changesNothing)
  @Requires('audience:read')
  async previewSegment(@TeamId() teamId: string, @Body() body: unknown): Promise<SegmentPreviewResponse> {
    const preview = await this.previewFilter.preview(teamId, decodePreview(body));
    const { contacts, subscribed, isEstimated, sample } = preview;
    return {
      object: 'segment_preview',
      all_contacts: contacts,
      subscribers: subscribed,
      unsubscribers: contacts - subscribed,
      estimated: isEstimated,
      sample: sample.map(contactSummary),
    };
  }

  @Get('metrics')
  @Operation(
    'Count contacts of segments',
    'Numbers of contacts as they are now: of your team, and by segment with the dimension `segment`. ' +
      `Segments with filters are evaluated, at most ${maxFilteredSegments} of them in one request.`,
  )
  @QueryList('metrics', 'The metrics, with commas. Default: all.', { type: 'string', enum: segmentMetrics }, [
    'all_contacts',
  ])
  @QueryParameter('dimensions', 'Rows by segment.', { enum: ['segment'] }, 'segment')
  @QueryParameter('segment_id', 'Only this segment. May be repeated.', { format: 'uuid' }, segmentId)
  @QueryParameter(
    'sort_by',
    'Metric by which rows are sorted. Default: `all_contacts`.',
    { enum: [...segmentMetrics] },
    'all_contacts',
  )
  @QueryParameter('sort_order', 'Default: `desc`.', { enum: ['asc', 'desc'] }, 'desc')
  @Responses(SegmentsMetricsResponse, 'The numbers.')
  @Refuses(() => [
    new NotFoundError(segmentThing),
    () => decodeSegmentMetrics({ metrics: 'opens' }),
    () => decodeSegmentMetrics({ segment_id: 'x' }),
    new TooManyFilteredSegmentsError(),
  ])
  async getSegmentMetrics(
    @TeamId() teamId: string,
    @Query() query: SegmentMetricsQuery,
  ): Promise<SegmentsMetricsResponse> {
    const request = decodeSegmentMetrics(query);
    const { metrics, bySegment, sortBy, sortOrder } = request;
    const { totals, segments } = await this.segmentMetrics.count(teamId, request);
    const data = segments.map(({ segment, count }): SegmentRowResponse => ({
      segment_id: segment.id,
      segment_name: segment.name,
      ...metricsOfCount(count, metrics),
    }));
    return {
      object: 'segments_metrics',
      metrics: [...metrics],
      dimensions: bySegment ? ['segment'] : [],
      sort_by: sortBy,
      sort_order: sortOrder,
      totals: metricsOfCount(totals, metrics),
      ...(bySegment ? { data } : {}),
    };
  }
}
