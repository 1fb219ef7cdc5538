import { describe, expect, it } from '@jest/globals';
import {
  dkimHost,
  host,
  key,
  mistakes,
  right,
  sameMeaning,
  sendHost,
} from '../../../../../test/support/builders/record-mistakes.js';
import { adviceOn } from '../../domain/advice.js';
import { DkimKeyInfo, Domain } from '../../domain/domain.js';
import { ExpectedRecord, expectedRecords } from '../../domain/expected-record.js';
import { isShown, recordView } from '../../domain/record-view.js';
import { nextCheck, RecordCheck, waitMs } from '../../domain/record-check.js';
import { InMemoryDnsResolver, ZoneRecords } from '../../infrastructure/dns/in-memory-dns-resolver.js';
import { RecordInspector } from './record-inspector.js';

const now = new Date('2026-11-21T10:00:00Z');

describe('a record with a mistake', () => {
  it.each(mistakes)('%s', async (_, recordKey, mistake, zones, advice) => {
    const { record, check, others } = await inspect(recordKey, { ...right, ...zones });

    expect(check.mistake).toBe(mistake);
    const isMissingOption = ['missing', 'zone_name_appended', 'published_at_wrong_name'].includes(mistake);
    const optional = isMissingOption ? 'not_started' : 'failed';
    expect(check.status).toBe(record.purpose === 'optional' ? optional : 'pending');
    expect(adviceFor(record, check)).toMatch(advice);
    expect(adviceFor(record, check)).toContain(`Expected: the`);
    // The MX and the SPF record of the return path share a name; a mistake in one must not show in the other.
    const shared = zones[sendHost]?.cname !== undefined ? ['spf'] : [];
    expect(others.filter((other) => other.status !== 'verified').map((other) => other.key)).toEqual(shared);
  });

  it.each(mistakes.filter(([, recordKey]) => !['tracking', 'dmarc', 'tls-reporting'].includes(recordKey)).slice(0, 60))(
    'is a temporary failure for 72 hours if the record was verified before: %s',
    async (_, recordKey, mistake, zones) => {
      const verified: RecordCheck = { purpose: 'sending', status: 'verified' };
      const { record, finding } = await inspect(recordKey, { ...right, ...zones });
      const lost = nextCheck(verified, record.purpose, finding, now);
      const later = nextCheck(lost, record.purpose, finding, new Date(now.getTime() + waitMs - 1));
      const atLast = nextCheck(later, record.purpose, finding, new Date(now.getTime() + waitMs));

      expect([lost.status, later.status, atLast.status]).toEqual(['temporary_failure', 'temporary_failure', 'failed']);
      expect(atLast.mistake).toBe(mistake);
    },
  );
});

describe('a record with another notation and the same meaning', () => {
  it.each(sameMeaning)('is verified: %s', async (_, recordKey, zones) => {
    const { check } = await inspect(recordKey, { ...right, ...zones });

    expect(check).toEqual({ purpose: check.purpose, status: 'verified' });
  });

  it('is verified where the zone has the DMARC record', async () => {
    const { check } = await inspect(
      'dmarc',
      { '_dmarc.example.test': { txt: ['v=DMARC1; p=none'] } },
      'mail.example.test',
    );

    expect(check.status).toBe('verified');
  });
});

describe('a name server that does not answer', () => {
  it('does not make a record missing', async () => {
    const dns = new InMemoryDnsResolver();
    dns.fail(dkimHost);
    const record = recordsOf('example.test').find((candidate) => candidate.key === 'dkim:postrider') as ExpectedRecord;
    const finding = await new RecordInspector(dns).inspect(record, ['example.test', 'example.test']);
    const verified: RecordCheck = { purpose: 'sending', status: 'verified' };

    expect(nextCheck(verified, 'sending', finding, now)).toMatchObject({ status: 'verified', unanswered: 'SERVFAIL' });
    expect(nextCheck(undefined, 'sending', finding, now)).toMatchObject({ status: 'pending' });
    expect(adviceFor(record, nextCheck(undefined, 'sending', finding, now))).toMatch(/did not answer/);
  });
});

describe('the CAA records of a tracking host', () => {
  it.each([
    ['no CAA records', {}, 'missing'],
    ['our authority', { 'example.test': { caa: [{ tag: 'issue', value: 'ca.test; account=1' }] } }, 'right'],
    ['another authority', { 'example.test': { caa: [{ tag: 'issue', value: 'other.test' }] } }, 'wrong'],
    ['no authority at all', { 'example.test': { caa: [{ tag: 'issue', value: ';' }] } }, 'wrong'],
    ['only an iodef', { 'example.test': { caa: [{ tag: 'iodef', value: 'mailto:a@example.test' }] } }, 'missing'],
    [
      'our authority closer to the host than another one',
      {
        'example.test': { caa: [{ tag: 'issue', value: 'other.test' }] },
        'mail.example.test': { caa: [{ tag: 'issue', value: 'CA.test' }] },
      },
      'right',
    ],
  ] satisfies [string, Record<string, ZoneRecords>, string][])('the zone names %s', async (_, zones, kind) => {
    const { finding, record, check } = await inspect('tracking-caa', zones, 'mail.example.test', 'ca.test');
    expect(finding.kind).toBe(kind);
    expect(isShown(record, { 'tracking-caa': check })).toBe(kind !== 'missing');
    if (kind === 'wrong') {
      expect(recordView(record, { 'tracking-caa': check }, 'example.test')).toMatchObject({
        record: 'TrackingCAA',
        type: 'CAA',
        name: 'mail.example.test',
        value: '0 issue "ca.test"',
        status: 'failed',
      });
      expect(adviceFor(record, check)).toMatch(/does not name the one that tracked links need/);
    }
  });
});

async function inspect(
  recordKey: string,
  zones: Record<string, ZoneRecords>,
  domainName = 'example.test',
  trackingCa?: string,
) {
  const dns = new InMemoryDnsResolver();
  for (const [name, records] of Object.entries(zones)) dns.set(name, records);
  const inspector = new RecordInspector(dns);
  const results = await Promise.all(
    recordsOf(domainName, trackingCa).map(async (record) => {
      const finding = await inspector.inspect(record, [domainName, 'example.test']);
      return { record, finding, check: nextCheck(undefined, record.purpose, finding, now) };
    }),
  );
  const result = results.find(({ record }) => record.key === recordKey);
  if (result === undefined) throw new Error(`There is no record ${recordKey}`);
  const others = results.filter((other) => other !== result);
  return { ...result, others: others.map(({ record, check }) => ({ key: record.key, status: check.status })) };
}

function adviceFor(record: ExpectedRecord, check: RecordCheck): string | undefined {
  return adviceOn(record, check, { zone: 'example.test', dnsProvider: 'Cloudflare' });
}

function recordsOf(name: string, trackingCa?: string): readonly ExpectedRecord[] {
  const domain = { name, sending: true, receiving: true, trackingSubdomain: 'links', customReturnPath: 'send' };
  const signing = { selector: 'postrider', algorithm: 'rsa-sha256', publicKey: key, state: 'signing' };
  return expectedRecords({ ...domain, dkimPublication: 'txt', sandbox: false } as Domain, [signing as DkimKeyInfo], {
    host,
    spfInclude: undefined,
    trackingCa,
  });
}

it('a name of very many labels costs few look-ups of CAA records', async () => {
  const deep = `${'a.'.repeat(110)}example.test`;
  const dns = new InMemoryDnsResolver();
  const asked: string[] = [];
  dns.caa = async (name) => {
    asked.push(name);
    return [];
  };
  const record = recordsOf(deep, 'ca.test').find(({ kind }) => kind === 'tracking-caa') as ExpectedRecord;
  expect((await new RecordInspector(dns).inspect(record, [deep, 'example.test'])).kind).toBe('missing');
  expect(asked).toHaveLength(10);
});
