import { beforeEach, expect, it } from '@jest/globals';
import { ReportedDomains } from '#domains';
import { newId } from '#kernel';
import { GivenStatistics } from '../../../../test/support/fakes/given-statistics.js';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { OwnAddresses } from './ports/report-statistics.port.js';
import { ReadDmarc } from './read-dmarc.query.js';

class OneAddress extends OwnAddresses {
  async of(): Promise<ReadonlySet<string>> {
    return new Set(['192.0.2.1']);
  }
}

let rig: InMemoryDomains;
let statistics: GivenStatistics;
let reported: ReportedDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
  statistics = new GivenStatistics();
  reported = new ReportedDomains(rig.domains, rig.records);
});

const source = {
  source: '192.0.2.1',
  messages: 9,
  aligned: 9,
  alignedByDkim: 9,
  alignedBySpf: 9,
  signedByUs: 9,
  sentByUs: 0,
  provedOther: 0,
  forwarded: 0,
  quarantined: 0,
  rejected: 0,
  firstDay: '2026-11-01',
  lastDay: '2026-11-01',
  days: 1,
  headerFrom: ['acme.test'],
  proven: ['acme.test'],
  reporters: 1,
};

it('tells who sends as a domain of the team, what is ours, and what is advised', async () => {
  const domain = await rig.create();
  statistics.counts = [source];
  const query = new ReadDmarc(reported, statistics, new OneAddress(), rig.clock);
  const overview = await query.read(rig.teamId, domain.id, 30, { limit: 5 });
  expect(overview.senders.items).toMatchObject([{ source: '192.0.2.1', kind: 'ours' }]);
  expect(overview.record.value).toContain('rua=mailto:dmarc-reports@send.acme.test');
  expect(overview.failureAddress).toBe('dmarc-failures@send.acme.test');
  expect(overview.advice.map(({ safe }) => safe)).toEqual([false, false]);
  expect(statistics.asked.map(({ page }) => page.limit)).toEqual([1_000, 5]);
  expect(statistics.asked[0]?.marks).toEqual({
    domain: 'acme.test',
    selectors: ['postrider', 'postrider-ed25519'],
    returnPathHost: 'send.acme.test',
  });
  await expect(query.read(newId(), domain.id, 30, { limit: 5 })).rejects.toThrow('Domain not found');
});
