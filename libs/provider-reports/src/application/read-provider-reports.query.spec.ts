import { expect, it } from '@jest/globals';
import { InMemoryProviderReports } from '../../../../test/support/fakes/in-memory-provider-reports.js';
import { NetworkData, PostmasterTools } from './ports/provider-reports.port.js';
import { ReadProviderReports } from './read-provider-reports.query.js';

function readerOf(isConfigured: boolean): { read: ReadProviderReports; reports: InMemoryProviderReports } {
  const reports = new InMemoryProviderReports();
  const source = { isConfigured } as unknown as PostmasterTools & NetworkData;
  return { read: new ReadProviderReports(source, source, reports), reports };
}

const activity = { day: '2026-11-28', filter: 'red', complaintRate: '2%', recipients: 9, trapHits: 1 } as const;

it('reads nothing where nothing is configured', async () => {
  const { read, reports } = readerOf(false);
  expect(await read.ofDomain('d', '2026-11-01', '2026-12-01')).toBeUndefined();
  expect(await read.ofAddresses(['192.0.2.1'])).toEqual([undefined]);
  expect(await read.network()).toBeUndefined();
  expect(await read.imports()).toEqual([]);
  expect(reports.reads).toBe(0);
});

it('reads what is about a domain and about addresses', async () => {
  const { read, reports } = readerOf(true);
  const day = { day: '2026-11-30', shares: { spam: 0.001 } };
  await reports.keepDays('d', [{ day: '2026-10-31', shares: {} }, day]);
  const now = new Date('2026-11-30T10:00:00Z');
  await reports.claim('google', now, now);
  await reports.finish('google', { nextAt: now, account: 'postrider@acme.test' });
  expect(await read.ofDomain('d', '2026-11-01', '2026-12-01')).toEqual({
    account: 'postrider@acme.test',
    days: [day],
  });
  const blocks = [{ first: '192.0.2.2', last: '192.0.2.2', reason: '' }];
  await reports.keepReport({ activity: [{ address: '192.0.2.1', ...activity }], blocks });
  expect(await read.ofAddresses(['192.0.2.3', '192.0.2.2', '192.0.2.1'])).toEqual([
    undefined,
    { activity: undefined, blockedFor: '' },
    { activity: { address: '192.0.2.1', ...activity }, blockedFor: undefined },
  ]);
  expect(await read.network()).toMatchObject({ blocks });
  expect(await read.imports()).toHaveLength(1);
});
