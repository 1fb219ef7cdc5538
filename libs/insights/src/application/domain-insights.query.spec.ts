import { expect, it } from '@jest/globals';
import { ReadDomains } from '#domains';
import { newId } from '#kernel';
import type { ReadProviderReports } from '#provider-reports';
import { ReportSummaries } from '#reports';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { DayCount, KindCount } from '../domain/provider-summary.js';
import { DomainInsights } from './domain-insights.query.js';
import { ProviderCounters } from './ports/provider-counters.port.js';

const [teamId, domainId] = [newId(), newId()];
const count = (provider: string, kind: string, amount: number): KindCount => ({
  provider,
  kind,
  count: amount,
  reply: null,
  emailId: null,
});
const day = (provider: string, of: string, delivered: number): DayCount => ({
  day: of,
  provider,
  delivered,
  deferred: 0,
  bounced: 0,
  complained: 0,
  opened: 0,
  unsubscribed: 0,
});

function insightsOf(kinds: readonly KindCount[], days: readonly DayCount[] = [], asked: unknown[] = []) {
  const domain = { id: domainId, name: 'acme.test', sandbox: false };
  const records = [{ view: { record: 'DKIM', status: 'verified' } }];
  const reports = {
    dmarc: { messages: 10, aligned: 10, reporters: 1 },
    tls: { succeeded: 1, failed: 0, reporters: 1 },
  };
  return new DomainInsights(
    { diagnose: async (team: string) => (team === teamId ? { domain, records } : undefined) } as unknown as ReadDomains,
    { read: async (...range: unknown[]) => (asked.push(...range), { kinds, days }) } as unknown as ProviderCounters,
    { of: async () => reports } as unknown as ReportSummaries,
    { of: async () => undefined },
    { ofDomain: async (...range: unknown[]) => void asked.push(...range) } as unknown as ReadProviderReports,
    new FakeClock(new Date('2026-11-21T10:00:00Z')),
  );
}

it('adds up by provider and day, most mail first, without test addresses', async () => {
  const asked: unknown[] = [];
  const insights = insightsOf(
    [
      count('example.net', 'delivered', 5),
      count('google', 'delivered', 300),
      count('google', 'bounced/content', 4),
      count('test-addresses', 'bounced/bad-address', 900),
    ],
    [
      day('example.net', '2026-11-19', 5),
      day('google', '2026-11-20', 200),
      day('google', '2026-11-21', 100),
      day('test-addresses', '2026-11-21', 100),
    ],
    asked,
  );
  const { total, providers, days, score } = await insights.of(teamId, domainId, 3);
  const range = [domainId, '2026-11-19', '2026-11-22'];
  expect(asked).toEqual([...range, ...range]);
  expect([total.delivered, total.bounced]).toEqual([305, 4]);
  expect(days.map((of) => [of.day, of.delivered])).toEqual([
    ['2026-11-19', 5],
    ['2026-11-20', 200],
    ['2026-11-21', 100],
  ]);
  expect(providers.map(({ provider }) => provider)).toEqual(['google', 'example.net']);
  expect(providers[0]?.summary.rates.map(({ id, percent, status }) => [id, percent, status])).toEqual([
    ['complaint_rate', 0, 'good'],
    ['bad_address_rate', 0, 'good'],
    ['spam_refusal_rate', expect.closeTo(1.316, 3), 'warning'],
  ]);
  expect(score?.value).toBe(96);
});

it('names twenty providers and adds up the others', async () => {
  const counts = Array.from({ length: 30 }, (_, no) => count(`site${no}.test`, 'delivered', 100 - no));
  const { providers } = await insightsOf([...counts, count('others', 'delivered', 1_000)]).of(teamId, domainId, 30);
  expect(providers).toHaveLength(21);
  expect(providers.at(-1)).toMatchObject({ provider: 'others', summary: { delivered: 1_000 + 755 } });
});

it("another team's domain is not found, and a domain without mail has no score", async () => {
  await expect(insightsOf([]).of(newId(), domainId, 30)).rejects.toThrow('not found');
  expect((await insightsOf([]).of(teamId, domainId, 30)).score).toBeUndefined();
});
