import { describe, expect, it } from '@jest/globals';
import { DmarcReport, DmarcRow, FailureReport, TlsReport } from './report.js';
import { scopedTo } from './report-scope.js';

const now = new Date('2026-11-22T06:00:00Z');
const base = {
  organization: 'Mailbox',
  reportId: '1',
  beginsAt: new Date('2026-11-21T00:00:00Z'),
  endsAt: new Date('2026-11-21T23:59:59Z'),
};
const row = (headerFrom: string): DmarcRow => ({
  source: '192.0.2.1',
  headerFrom,
  disposition: 'none',
  dkimAligned: true,
  spfAligned: true,
  dkim: null,
  dkimSelector: null,
  spf: null,
  override: null,
  messages: 1,
});
const policy = { p: 'none', sp: null, pct: null, adkim: null, aspf: null };
const dmarc = (policyDomain: string, names: readonly string[], fields: Partial<DmarcReport> = {}): DmarcReport => ({
  ...base,
  kind: 'dmarc',
  policyDomain,
  policy,
  rows: names.map(row),
  unusable: 0,
  ...fields,
});
const namesOf = (report: DmarcReport): string[] => report.rows.map(({ headerFrom }) => headerFrom);

describe('a DMARC report', () => {
  it('about a zone counts for the domains of the zone, each with its own rows', () => {
    const report = dmarc('acme.test', ['acme.test', 'mail.acme.test', 'a.mail.acme.test', 'evil-mail.acme.test']);
    const scoped = scopedTo(report, 'mail.acme.test', 'acme.test', now);
    expect(namesOf(scoped)).toEqual(['mail.acme.test', 'a.mail.acme.test']);
    expect(scoped.unusable).toBe(2);
    expect(namesOf(scopedTo(report, 'acme.test', 'acme.test', now))).toHaveLength(4);
  });

  it.each([
    ['another domain', dmarc('bank.test', ['bank.test'])],
    ['another domain, with rows of ours', dmarc('bank.test', ['acme.test'])],
    ['our domain, with rows of another', dmarc('acme.test', ['bank.test'])],
    ['a domain that only ends alike', dmarc('notacme.test', ['notacme.test'])],
  ])('about %s is refused', (_, report) => {
    expect(() => scopedTo(report, 'acme.test', 'acme.test', now)).toThrow('another domain');
  });

  it.each([
    ['that ends before it begins', { endsAt: new Date('2026-11-20T00:00:00Z') }, 'not valid'],
    ['of a month', { beginsAt: new Date('2026-10-21T00:00:00Z') }, 'not valid'],
    [
      'of last year',
      { beginsAt: new Date('2025-11-21T00:00:00Z'), endsAt: new Date('2025-11-22T00:00:00Z') },
      'too long ago',
    ],
    [
      'to come',
      { beginsAt: new Date('2026-11-24T00:00:00Z'), endsAt: new Date('2026-11-25T00:00:00Z') },
      'in the future',
    ],
  ])('about a time %s is refused', (_, fields, reason) => {
    expect(() => scopedTo(dmarc('acme.test', ['acme.test'], fields), 'acme.test', 'acme.test', now)).toThrow(reason);
  });
});

it('a TLS report keeps the policies of the domain and of names below it', () => {
  const tls = (...domains: string[]): TlsReport => ({
    ...base,
    kind: 'tls',
    unusable: 0,
    rows: domains.map((policyDomain) => ({
      policyType: 'sts',
      policyDomain,
      result: 'success',
      mx: null,
      reason: null,
      sessions: 1,
    })),
  });
  expect(scopedTo(tls('acme.test', 'bank.test', 'send.acme.test'), 'acme.test', 'acme.test', now).rows).toHaveLength(2);
  expect(() => scopedTo(tls('bank.test'), 'acme.test', 'acme.test', now)).toThrow('another domain');
});

it('a failure report about another domain is refused', () => {
  const failure = (headerFrom: string): FailureReport => ({
    ...base,
    kind: 'failure',
    headerFrom,
    source: null,
    failure: 'dmarc',
    outcome: null,
    dkimDomain: null,
  });
  expect(scopedTo(failure('a.acme.test'), 'acme.test', 'acme.test', now)).toMatchObject({ headerFrom: 'a.acme.test' });
  expect(() => scopedTo(failure('bank.test'), 'acme.test', 'acme.test', now)).toThrow('another domain');
});
