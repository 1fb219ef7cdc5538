import { expect, it } from '@jest/globals';
import { ReportedDomains } from '#domains';
import { newId } from '#kernel';
import { GivenStatistics } from '../../../../test/support/fakes/given-statistics.js';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { ReadTlsReports } from './read-tls-reports.query.js';

it('tells how mail to a domain of the team is encrypted', async () => {
  const rig = new InMemoryDomains();
  const domain = await rig.create();
  const statistics = new GivenStatistics();
  const reported = new ReportedDomains(rig.domains, rig.records);
  const query = new ReadTlsReports(reported, statistics, rig.clock);
  const overview = await query.read(rig.teamId, domain.id, 7, { limit: 5 });
  expect(overview.totals).toEqual({ succeeded: 1, failed: 0, reporters: 1 });
  expect(overview.record.host).toBe('_smtp._tls.acme.test');
  await expect(query.read(newId(), domain.id, 7, { limit: 5 })).rejects.toThrow('Domain not found');
});
