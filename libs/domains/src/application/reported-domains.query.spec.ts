import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { compareTlsReporting } from '../domain/record-comparisons.js';
import { ReportedDomains } from './reported-domains.query.js';

let rig: InMemoryDomains;
let reported: ReportedDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
  reported = new ReportedDomains(rig.domains, rig.records);
});

it('the addresses of the recommended records lead back to their domain, in any case', async () => {
  const domain = await rig.create();
  const { host, value } = reported.recordOf('dmarc', domain);
  expect([host, value]).toEqual(['_dmarc.acme.test', 'v=DMARC1; p=none; rua=mailto:dmarc-reports@send.acme.test;']);
  expect(await reported.ofAddress('DMARC-Reports@Send.Acme.test')).toMatchObject({
    kind: 'dmarc',
    domain: { id: domain.id },
  });
  expect(await reported.ofAddress('tls-reports@send.acme.test')).toMatchObject({ kind: 'tls' });
  expect(await reported.ofAddress('dmarc-failures@send.acme.test')).toMatchObject({ kind: 'failure' });
});

it('a domain that only receives takes its reports itself', async () => {
  const domain = await rig.create({ name: 'inbox.test', sending: false, receiving: true });
  expect(reported.recordOf('tls', domain)).toEqual({
    host: '_smtp._tls.inbox.test',
    value: 'v=TLSRPTv1; rua=mailto:tls-reports@inbox.test;',
  });
  expect(await reported.ofAddress('tls-reports@inbox.test')).toMatchObject({ domain: { id: domain.id } });
});

it('no other address takes reports', async () => {
  await rig.create();
  await rig.createSandbox('sandbox.test');
  for (const address of [
    'dmarc-reports@acme.test',
    'dmarc-reports@other.acme.test',
    'dmarc-reports@send.unknown.test',
    'dmarc-reports@send.sandbox.test',
    'someone@send.acme.test',
    'dmarc-reports',
    '@',
  ]) {
    expect(await reported.ofAddress(address)).toBeUndefined();
  }
});

it('a domain is found for its own team, with the selectors of all its keys', async () => {
  const { id } = await rig.create();
  expect(await reported.find(newId(), id)).toBeUndefined();
  expect(await reported.find(rig.teamId, id)).toMatchObject({ id });
  expect(await reported.selectorsOf(id)).toEqual(['postrider', 'postrider-ed25519']);
  expect(reported.zoneOf('mail.acme.test')).toBe('acme.test');
});

it.each([
  [['v=TLSRPTv1; rua=mailto:tls@acme.test'], 'right'],
  [['v=TLSRPTv1; rua=https://acme.test/tls,mailto:a@b.test;'], 'right'],
  [[], 'missing'],
  [['v=TLSRPTv1;'], 'tls_reporting_invalid_address'],
  [['v=TLSRPTv1; rua=tls@acme.test'], 'tls_reporting_invalid_address'],
  [['rua=mailto:tls@acme.test; v=TLSRPTv1'], 'invalid_syntax'],
  [['v=TLSRPTv1; rua=mailto:a@b.test', 'v=TLSRPTv1; rua=mailto:c@b.test'], 'several_records'],
  [['"v=TLSRPTv1; rua=mailto:a@b.test"'], 'quotes_kept'],
  [['v=TLSRPTv1\\; rua=mailto:a@b.test'], 'backslashes_kept'],
  [['_smtp._tls TXT v=TLSRPTv1; rua=mailto:a@b.test'], 'name_in_value'],
])('the records %j that ask for TLS reports are %s', (texts, expected) => {
  const finding = compareTlsReporting(texts);
  expect('mistake' in finding ? finding.mistake : finding.kind).toBe(expected);
});
