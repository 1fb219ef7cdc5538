import { expect, it } from '@jest/globals';
import { ReportStatistics } from './ports/report-statistics.port.js';
import { ReportSummaries } from './report-summaries.query.js';

it('gives the figures of both kinds of reports', async () => {
  const statistics = {
    dmarcTotals: async () => ({ messages: 5, aligned: 4, reporters: [{}, {}] }),
    tlsTotals: async () => ({ succeeded: 7, failed: 1, reporters: 1 }),
  } as unknown as ReportStatistics;
  expect(await new ReportSummaries(statistics).of({ domainId: 'd', from: '2026-11-01', to: '2026-12-01' })).toEqual({
    dmarc: { messages: 5, aligned: 4, reporters: 2 },
    tls: { succeeded: 7, failed: 1, reporters: 1 },
  });
});
