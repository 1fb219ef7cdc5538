import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Counts, metrics, storedCounts } from '../domain/metric.js';
import { MetricsRequest } from '../domain/metrics-request.js';
import { CountedRow, EmailCounters } from './ports/email-counters.port.js';
import { EmailMetrics } from './email-metrics.query.js';

const teamId = newId();
const zero = Object.fromEntries(storedCounts.map((name) => [name, 0])) as Counts;
const sent = (count: number): Counts => ({ ...zero, sent: count });
let rows: readonly CountedRow[];
let reads: string[];
let emailMetrics: EmailMetrics;

beforeEach(() => {
  rows = [];
  reads = [];
  const read = async (team: string) => {
    reads.push(team);
    return { totals: sent(5), rows };
  };
  emailMetrics = new EmailMetrics({ read } as unknown as EmailCounters);
});

const request = (fields: Partial<MetricsRequest> = {}): MetricsRequest => ({
  start: new Date('2026-11-20T00:00:00Z'),
  end: new Date('2026-11-23T00:00:00Z'),
  timeZone: 'UTC',
  granularity: 'daily',
  metrics: ['sent'],
  dimensions: [],
  domainIds: undefined,
  emailIds: undefined,
  broadcastIds: undefined,
  ...fields,
});

it("counts the team's own email", async () => {
  expect(await emailMetrics.count(teamId, request())).toEqual({ totals: sent(5), rows: [] });
  expect(reads).toEqual([teamId]);
});

it('by period there is a row for each, in order, also where nothing happened', async () => {
  rows = [{ period: '2026-11-21', counts: sent(5) }];
  const counted = await emailMetrics.count(teamId, request({ dimensions: ['period'] }));
  expect(counted.rows.map(({ period, counts }) => [period, counts.sent])).toEqual([
    ['2026-11-20', 0],
    ['2026-11-21', 5],
    ['2026-11-22', 0],
  ]);
});

it('by period and domain there are the rows that exist', async () => {
  rows = [{ period: '2026-11-21', domainId: newId(), domainName: 'acme.test', counts: sent(5) }];
  const counted = await emailMetrics.count(teamId, request({ dimensions: ['period', 'domain'] }));
  expect(counted.rows).toEqual(rows);
});

it('refuses more rows and more periods than a response may have', async () => {
  rows = Array.from({ length: 10_001 }, () => ({ emailId: newId(), counts: zero }));
  await expect(emailMetrics.count(teamId, request({ dimensions: ['email'] }))).rejects.toThrow('more than 10000 rows');
  const centuries = request({ start: new Date('1900-01-01'), dimensions: ['period'] });
  await expect(emailMetrics.count(teamId, centuries)).rejects.toThrow('more than 10000 periods');
});

it('allows fewer rows and periods the more metrics are asked for', async () => {
  const hours = request({
    granularity: 'hourly',
    dimensions: ['period'],
    metrics,
    end: new Date('2027-01-01T00:00:00Z'),
  });
  expect((await emailMetrics.count(teamId, { ...hours, start: new Date('2026-12-01') })).rows).toHaveLength(744);
  const longer = emailMetrics.count(teamId, { ...hours, start: new Date('2026-11-01') });
  await expect(longer).rejects.toThrow('more than 1000 periods');
});
