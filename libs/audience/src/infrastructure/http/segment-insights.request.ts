import { isUuid, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { AnyObject, Example, Shape } from '#http/openapi';
import { filterLimits } from '../../domain/filters/filter.js';
import { segmentMetrics, SegmentMetricsRequest } from '../../domain/segment-metrics.js';

const maxSegmentIds = 100;
/** Maximum length of a filter, as JSON. */
export const maxFilterLength = 16_384;

@Shape('A filter that no segment has yet.')
@Example('filter', 'A filter', {
  filter: {
    type: 'and',
    rules: [
      { type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@customer.example' },
      { type: 'rule', field: 'contact.opened', operator: 'within_days', value: 30 },
      { type: 'not', rule: { type: 'rule', field: 'contact.unsubscribed', operator: 'eq', value: true } },
    ],
  },
})
export class PreviewSegmentRequest {
  @AnyObject(
    'A tree of rules: `{"type": "and" | "or", "rules": […]}`, `{"type": "not", "rule": …}` or `{"type": ' +
      `"rule", "field", "operator", "value"}\`, ${filterLimits.maxDepth} deep at most and with up to ` +
      `${filterLimits.maxConditions} rules.`,
  )
  filter!: Record<string, unknown>;
}

export function decodePreview(body: unknown): Record<string, unknown> {
  const { filter } = decodeBody(PreviewSegmentRequest, body);
  if (JSON.stringify(filter).length <= maxFilterLength) return filter;
  throw new ValidationError(`The \`filter\` field may have at most ${maxFilterLength} characters as JSON.`);
}

export interface SegmentMetricsQuery {
  readonly metrics?: unknown;
  readonly dimensions?: unknown;
  readonly segment_id?: unknown;
  readonly sort_by?: unknown;
  readonly sort_order?: unknown;
}

/** Query of `GET /segments/metrics` (docs/wire-contract.md section 13). Lists come repeated or with commas. */
export function decodeSegmentMetrics(query: SegmentMetricsQuery): SegmentMetricsRequest {
  const metrics = listIn('metrics', query.metrics).map((name) => oneOf('metrics', name, segmentMetrics));
  const dimensions = listIn('dimensions', query.dimensions).map((name) => oneOf('dimensions', name, ['segment']));
  const ids = listIn('segment_id', query.segment_id).map((id) => {
    if (isUuid(id)) return id.toLowerCase();
    throw new ValidationError('The `segment_id` must be a valid UUID.');
  });
  if (ids.length > maxSegmentIds) {
    throw new ValidationError(`The \`segment_id\` may have at most ${maxSegmentIds} ids.`);
  }
  return {
    metrics: metrics.length === 0 ? segmentMetrics : [...new Set(metrics)],
    bySegment: dimensions.length > 0,
    segmentIds: ids.length === 0 ? undefined : [...new Set(ids)],
    sortBy: oneOf('sort_by', textIn('sort_by', query.sort_by) ?? 'all_contacts', segmentMetrics),
    sortOrder: oneOf('sort_order', textIn('sort_order', query.sort_order) ?? 'desc', ['asc', 'desc']),
  };
}

function listIn(name: string, value: unknown): string[] {
  if (value === undefined || value === '') return [];
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  return parts.flatMap((part) => (textIn(name, part) ?? '').split(',', 1_000)).filter((part) => part !== '');
}

function textIn(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new ValidationError(`The \`${name}\` must be a text.`);
}

function oneOf<Value extends string>(name: string, value: string, known: readonly Value[]): Value {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new ValidationError(`The \`${name}\` must be ${known.map((one) => `\`${one}\``).join(', ')}.`);
}
