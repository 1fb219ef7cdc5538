import { Always, Field, Flag, Id, ListOf, OneOf, OptionalField, Shape, Text, Texts, Whole } from '#http/openapi';
import { segmentMetrics } from '../../domain/segment-metrics.js';
import { segmentId } from './example-ids.js';
import { ContactSummaryResponse } from './contact.response.js';

@Shape('What a filter finds now.')
export class SegmentPreviewResponse {
  @Always('segment_preview') object!: 'segment_preview';
  @Whole('Number of contacts.', 1250) all_contacts!: number;
  @Whole('Those that did not unsubscribe.', 1200) subscribers!: number;
  @Whole('Those that unsubscribed.', 50) unsubscribers!: number;
  @Flag(
    'Whether the numbers are estimated from a sample, within a few percent. Numbers of more than 100,000 ' +
      'contacts may be.',
    false,
  )
  estimated!: boolean;
  @ListOf(ContactSummaryResponse, 'Up to ten of the contacts, newest first.') sample!: ContactSummaryResponse[];
}

@Shape('The metrics that were asked for.')
export class SegmentCountsResponse {
  @OptionalField('Number of contacts.', { type: 'integer' }, 1250) all_contacts?: number;
  @OptionalField('Those that did not unsubscribe.', { type: 'integer' }) subscribers?: number;
  @OptionalField('Those that unsubscribed.', { type: 'integer' }) unsubscribers?: number;
}

@Shape('The metrics of one segment.')
export class SegmentRowResponse extends SegmentCountsResponse {
  @Id('Id of the segment.', segmentId) segment_id!: string;
  @Text('Name of the segment.', 'Customers') segment_name!: string;
}

@Shape('Numbers of contacts.')
export class SegmentsMetricsResponse {
  @Always('segments_metrics') object!: 'segments_metrics';
  @Texts('The metrics of the response.', ['all_contacts']) metrics!: string[];
  @Texts('The dimensions of the response.', ['segment']) dimensions!: string[];
  @OneOf(segmentMetrics, 'The metric by which `data` is sorted.', 'all_contacts') sort_by!: string;
  @OneOf(['asc', 'desc'], 'The direction in which `data` is sorted.', 'desc') sort_order!: 'asc' | 'desc';
  @Field('Of all contacts of your team, or of the one segment that was chosen.', { type: SegmentCountsResponse })
  totals!: SegmentCountsResponse;
  @OptionalField('The segments. Only with the dimension `segment`.', { type: [SegmentRowResponse] }, [
    { segment_id: segmentId, segment_name: 'Customers', all_contacts: 1250 },
  ])
  data?: SegmentRowResponse[];
}
