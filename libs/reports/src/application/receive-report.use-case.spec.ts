import { beforeEach, expect, it } from '@jest/globals';
import { ReportedDomains } from '#domains';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { InMemoryReportLog } from '../../../../test/support/fakes/in-memory-report-log.js';
import { DmarcReport } from '../domain/report.js';
import { ReadReport, ReportReader } from './ports/report-log.port.js';
import { ReceiveReport } from './receive-report.use-case.js';

class GivenReport extends ReportReader {
  result: ReadReport = { unreadable: 'no' };
  owners: readonly string[] = [];

  async read(_content: Uint8Array, _question: object, owners: readonly string[]): Promise<ReadReport> {
    this.owners = owners;
    return this.result;
  }
}

let rig: InMemoryDomains;
let reader: GivenReport;
let log: InMemoryReportLog;
let receive: ReceiveReport;
let domainId: string;

beforeEach(async () => {
  rig = new InMemoryDomains();
  reader = new GivenReport();
  log = new InMemoryReportLog();
  receive = new ReceiveReport(new ReportedDomains(rig.domains, rig.records), reader, log, rig.clock);
  domainId = (await rig.create({ name: 'mail.acme.test' })).id;
});

const report = (fields: Partial<DmarcReport> = {}): DmarcReport => ({
  kind: 'dmarc',
  organization: 'Mailbox',
  reportId: '1',
  beginsAt: rig.clock.now(),
  endsAt: rig.clock.now(),
  policyDomain: 'acme.test',
  policy: { p: 'none', sp: null, pct: null, adkim: null, aspf: null },
  rows: [],
  unusable: 0,
  ...fields,
});
const receiveOne = (
  provenAuthor: string | undefined = 'reports.mailbox.test',
  recipient = 'dmarc-reports@send.mail.acme.test',
) => receive.receive({ recipient, content: new Uint8Array(1), clientNetwork: '192.0.2.0/24', provenAuthor });

it('a report is stored under the name that its message proves, and the work is charged to team and client', async () => {
  reader.result = { report: report() };
  await receiveOne();
  expect(log.added).toMatchObject([{ domainId, teamId: rig.teamId, reporter: 'mailbox.test' }]);
  expect(reader.owners).toEqual([rig.teamId, '192.0.2.0/24']);
});

it('the same report again changes nothing', async () => {
  reader.result = { report: report() };
  await receiveOne();
  await receiveOne();
  expect(log.added).toHaveLength(1);
});

it('a report of an unproven sender is stored without a reporter', async () => {
  reader.result = { report: report() };
  await receive.receive({
    recipient: 'dmarc-reports@send.mail.acme.test',
    content: new Uint8Array(1),
    clientNetwork: 'n',
    provenAuthor: undefined,
  });
  expect(log.added).toMatchObject([{ reporter: null }]);
});

it('what is no report, is about others, or is too much, is refused and not stored', async () => {
  await expect(receiveOne()).rejects.toMatchObject({ kind: 'invalid', message: 'no' });
  reader.result = { report: report({ policyDomain: 'bank.test' }) };
  await expect(receiveOne()).rejects.toThrow('another domain');
  reader.result = { report: report() };
  await expect(receiveOne('mailbox.test', 'dmarc-reports@send.bank.test')).rejects.toThrow('No such address');
  log.isFull = true;
  await expect(receiveOne()).rejects.toMatchObject({ kind: 'limited' });
  expect(log.added).toEqual([]);
});

it('only the addresses of the recommended records are accepted', async () => {
  expect(await receive.accepts('tls-reports@send.mail.acme.test')).toBe(true);
  expect(await receive.accepts('hello@send.mail.acme.test')).toBe(false);
});
