import { expect, it } from '@jest/globals';
import { ReportedDomains } from '#domains';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { InMemoryReportLog } from '../../../../test/support/fakes/in-memory-report-log.js';
import { ListReports, ReportSummaries } from './domain-reports.query.js';
import { ReportStatistics } from './ports/report-statistics.port.js';

it('lists the reports of a domain of the team, newest first, all or those of one kind', async () => {
  const rig = new InMemoryDomains();
  const log = new InMemoryReportLog();
  const list = new ListReports(new ReportedDomains(rig.domains, rig.records), log);
  const { id: domainId, teamId } = await rig.create();
  const at = rig.clock.now();
  for (const reportId of ['1', '2']) {
    const report = {
      kind: 'tls',
      organization: '',
      reportId,
      beginsAt: at,
      endsAt: at,
      rows: [],
      unusable: 0,
    } as const;
    await log.add({ id: newId(), teamId, domainId, reporter: 'mailbox.test', receivedAt: at, report });
  }
  const page = { limit: 10 };
  expect((await list.list(teamId, domainId, page, 'tls')).items.map(({ reportId }) => reportId)).toEqual(['2', '1']);
  expect((await list.list(teamId, domainId, page, 'dmarc')).items).toEqual([]);
  await expect(list.list(newId(), domainId, page, undefined)).rejects.toThrow('Domain not found');
});

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
