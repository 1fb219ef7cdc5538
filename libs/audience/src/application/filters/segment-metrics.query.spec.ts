import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryAudience } from '../../../../../test/support/fakes/in-memory-audience.js';
import { inMemoryFilters } from '../../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { maxFilteredSegments, segmentMetrics, SegmentMetricsRequest } from '../../domain/segment-metrics.js';
import { SegmentHealth, SegmentMetrics } from './segment-metrics.query.js';

let audience: InMemoryAudience;
let metrics: SegmentMetrics;
let [list, filtered] = ['', ''];
beforeEach(async () => {
  audience = new InMemoryAudience();
  metrics = new SegmentMetrics(audience.segments, inMemoryFilters(audience).filtered);
  list = audience.addSegment();
  filtered = audience.addSegment({ type: 'rule', field: 'contact.unsubscribed', operator: 'eq', value: true });
  await audience.add('a@x.test', { segmentIds: [list] });
  await audience.add('b@x.test', { segmentIds: [list], patch: { unsubscribed: true } });
  await audience.add('c@x.test', { segmentIds: [list] });
});

const request = (fields: Partial<SegmentMetricsRequest> = {}): SegmentMetricsRequest => ({
  metrics: segmentMetrics,
  bySegment: true,
  segmentIds: undefined,
  sortBy: 'all_contacts',
  sortOrder: 'asc',
  ...fields,
});

it('segments of both kinds are counted and sorted', async () => {
  const { totals, segments } = await metrics.count(audience.teamId, request());
  expect(totals).toEqual({ contacts: 3, subscribed: 2 });
  expect(segments.map(({ segment, count }) => [segment.id, count])).toEqual([
    [filtered, { contacts: 1, subscribed: 0 }],
    [list, { contacts: 3, subscribed: 2 }],
  ]);
  const byUnsubscribed = await metrics.count(audience.teamId, request({ sortBy: 'subscribers', sortOrder: 'desc' }));
  expect(byUnsubscribed.segments.map(({ segment }) => segment.id)).toEqual([list, filtered]);
});

it('the totals of one segment are its own', async () => {
  const one = request({ segmentIds: [filtered], bySegment: false });
  expect(await metrics.count(audience.teamId, one)).toEqual({ totals: { contacts: 1, subscribed: 0 }, segments: [] });
  await expect(metrics.count(audience.stranger.teamId, one)).rejects.toThrow('Audience not found');
});

it('a request evaluates a limited number of filters', async () => {
  for (let no = 0; no < maxFilteredSegments; no++) {
    audience.addSegment({ type: 'rule', field: 'contact.email', operator: 'exists' });
  }
  await expect(metrics.count(audience.teamId, request())).rejects.toThrow('segment_id');
});

it('measures members that were added and those that match a filter, of segments of the team alone', async () => {
  const audience = new InMemoryAudience();
  const health = new SegmentHealth(audience.segments, inMemoryFilters(audience).filtered);
  const added = audience.addSegment();
  const filtered = audience.addSegment({
    type: 'rule',
    field: 'contact.email',
    operator: 'ends_with',
    value: '@x.test',
  });
  await audience.add('ada@x.test', { segmentIds: [added] });
  await audience.add('bob@x.test');
  expect(await health.measure(audience.teamId, added, null)).toMatchObject({ members: 1, measured: 1 });
  expect(await health.measure(audience.teamId, filtered, null)).toMatchObject({ members: 2, measured: 2 });
  await expect(health.measure(audience.stranger.teamId, added, null)).rejects.toThrow('not found');
});
