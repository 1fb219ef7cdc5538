import { MissingFieldError, NotFoundError } from '#kernel';
import { thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { filterLimits } from '../../../domain/filters/filter.js';
import { parseFilter } from '../../../domain/filters/parse-filter.js';
import { segmentThing } from '../../../domain/segment.js';
import { maxFilteredSegments, TooManyFilteredSegmentsError } from '../../../domain/segment-metrics.js';
import { decodeSegmentMetrics } from '../segment-insights.request.js';
import { contactSummary, segmentId } from './audience-examples.js';

const counts = {
  all_contacts: 'Number of contacts.',
  subscribers: 'Those that did not unsubscribe.',
  unsubscribers: 'Those that unsubscribed.',
};

const filter = {
  type: 'and',
  rules: [
    { type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@customer.example' },
    { type: 'rule', field: 'contact.opened', operator: 'within_days', value: 30 },
    { type: 'not', rule: { type: 'rule', field: 'contact.unsubscribed', operator: 'eq', value: true } },
  ],
};

export const apiDescription: ApiDescription = {
  tag: 'Segments',
  schemas: {
    PreviewSegmentRequest: {
      description: 'A filter that no segment has yet.',
      properties: {
        filter:
          'A tree of rules: `{"type": "and" | "or", "rules": […]}`, `{"type": "not", "rule": …}` or ' +
          '`{"type": "rule", "field", "operator", "value"}`, ' +
          `${filterLimits.maxDepth} deep at most and with up to ${filterLimits.maxConditions} rules.`,
      },
    },
    SegmentPreviewResponse: {
      description: 'What a filter finds now.',
      properties: {
        object: 'Always `segment_preview`.',
        ...counts,
        estimated:
          'Whether the numbers are estimated from a sample, within a few percent. Numbers of more than 100,000 contacts may be.',
        sample: 'Up to ten of the contacts, newest first.',
      },
    },
    SegmentCountsResponse: { description: 'The metrics that were asked for.', properties: counts },
    SegmentRowResponse: {
      description: 'The metrics of one segment.',
      properties: { segment_id: 'Id of the segment.', segment_name: 'Name of the segment.', ...counts },
    },
    SegmentsMetricsResponse: {
      description: 'Numbers of contacts.',
      properties: {
        object: 'Always `segments_metrics`.',
        metrics: 'The metrics of the response.',
        dimensions: 'The dimensions of the response.',
        sort_by: 'The metric by which `data` is sorted.',
        sort_order: 'The direction in which `data` is sorted.',
        totals: 'Of all contacts of your team, or of the one segment that was chosen.',
        data: 'The segments. Only with the dimension `segment`.',
      },
    },
  },
  operations: {
    'POST /segments/preview': {
      operationId: 'previewSegment',
      summary: 'Preview a filter',
      description: 'Counts the contacts that match a filter now, and shows some of them. Nothing is stored.',
      request: { description: 'The filter.', examples: { filter: { summary: 'A filter', value: { filter } } } },
      responses: {
        200: {
          description: 'The contacts that match.',
          example: {
            object: 'segment_preview',
            all_contacts: 1250,
            subscribers: 1200,
            unsubscribers: 50,
            estimated: false,
            sample: [contactSummary],
          },
        },
      },
      errors: [
        new MissingFieldError('filter'),
        thrownBy(() => parseFilter({ type: 'rule', field: 'age', operator: 'eq' })),
      ],
    },
    'GET /segments/metrics': {
      operationId: 'getSegmentMetrics',
      summary: 'Count contacts of segments',
      description:
        'Numbers of contacts as they are now: of your team, and by segment with the dimension `segment`. Segments with filters are ' +
        `evaluated, at most ${maxFilteredSegments} of them in one request.`,
      parameters: {
        metrics: { description: 'The metrics, with commas. Default: all.', example: ['all_contacts'] },
        dimensions: { description: 'Rows by segment.', example: 'segment' },
        segment_id: { description: 'Only this segment. May be repeated.', example: segmentId },
        sort_by: { description: 'Metric by which rows are sorted. Default: `all_contacts`.', example: 'all_contacts' },
        sort_order: { description: 'Default: `desc`.', example: 'desc' },
      },
      responses: {
        200: {
          description: 'The numbers.',
          example: {
            object: 'segments_metrics',
            metrics: ['all_contacts'],
            dimensions: ['segment'],
            sort_by: 'all_contacts',
            sort_order: 'desc',
            totals: { all_contacts: 1250 },
            data: [{ segment_id: segmentId, segment_name: 'Customers', all_contacts: 1250 }],
          },
        },
      },
      errors: [
        new NotFoundError(segmentThing),
        thrownBy(() => decodeSegmentMetrics({ metrics: 'opens' })),
        thrownBy(() => decodeSegmentMetrics({ segment_id: 'x' })),
        new TooManyFilteredSegmentsError(),
      ],
    },
  },
};
