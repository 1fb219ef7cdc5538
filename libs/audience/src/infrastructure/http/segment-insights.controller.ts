import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { ApiQuery, DescribedBy, Responses, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { PreviewFilter } from '../../application/filters/preview-filter.query.js';
import { SegmentMetrics } from '../../application/filters/segment-metrics.query.js';
import { metricsOfCount, segmentMetrics } from '../../domain/segment-metrics.js';
import { contactSummary } from './contact.response.js';
import { decodePreview, decodeSegmentMetrics, PreviewSegmentRequest } from './segment-insights.request.js';
import type { SegmentMetricsQuery } from './segment-insights.request.js';
import { SegmentPreviewResponse, SegmentRowResponse, SegmentsMetricsResponse } from './segment-insights.response.js';

const texts = { type: 'array', items: { type: 'string', enum: [...segmentMetrics] as string[] } };

/** What is in segments, and what a filter would find. */
@Controller('segments')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/segment-insights.description.js'))
export class SegmentInsightsController {
  constructor(
    private readonly previewFilter: PreviewFilter,
    private readonly segmentMetrics: SegmentMetrics,
  ) {}

  @Post('preview')
  @Audited({ notBecause: 'it only counts' })
  @HttpCode(200)
  @Requires('audience:read')
  @Takes(PreviewSegmentRequest)
  @Responses(SegmentPreviewResponse)
  async preview(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<SegmentPreviewResponse> {
    const preview = await this.previewFilter.execute(teamId, decodePreview(body));
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
  @Requires('audience:read')
  @Responses(SegmentsMetricsResponse)
  @ApiQuery({ name: 'metrics', required: false, schema: texts, style: 'form', explode: false })
  @ApiQuery({ name: 'dimensions', required: false, enum: ['segment'] })
  @ApiQuery({ name: 'segment_id', required: false, schema: { type: 'string', format: 'uuid' } })
  @ApiQuery({ name: 'sort_by', required: false, enum: [...segmentMetrics] })
  @ApiQuery({ name: 'sort_order', required: false, enum: ['asc', 'desc'] })
  async metrics(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: SegmentMetricsQuery,
  ): Promise<SegmentsMetricsResponse> {
    const request = decodeSegmentMetrics(query);
    const { metrics, bySegment, sortBy, sortOrder } = request;
    const { totals, segments } = await this.segmentMetrics.execute(teamId, request);
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
