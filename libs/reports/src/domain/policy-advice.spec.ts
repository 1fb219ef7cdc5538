import { describe, expect, it } from '@jest/globals';
import { policyAdvice, tlsAdvice } from './policy-advice.js';
import { lastDays, parseDays } from './report.js';
import { ReportedSender, senderOf, SourceCounts } from './sender.js';

const counts = (fields: Partial<SourceCounts> = {}): SourceCounts => ({
  source: '192.0.2.1',
  messages: 100,
  aligned: 100,
  alignedByDkim: 100,
  alignedBySpf: 100,
  signedByUs: 0,
  sentByUs: 0,
  provedOther: 0,
  forwarded: 0,
  quarantined: 0,
  rejected: 0,
  firstDay: '2026-11-01',
  lastDay: '2026-11-20',
  days: 20,
  headerFrom: ['acme.test'],
  proven: ['acme.test'],
  reporters: 2,
  ...fields,
});
const none = { aligned: 0, alignedByDkim: 0, alignedBySpf: 0, proven: [] };

describe('a source', () => {
  it.each<[ReportedSender['kind'], string, Partial<SourceCounts>]>([
    ['ours', 'mail comes from our address', { source: '192.0.2.99', ...none }],
    ['ours', 'its envelope is ours, and SPF passed', { sentByUs: 1 }],
    ['forwarder', 'it hands over mail that we signed', { signedByUs: 40, alignedBySpf: 0 }],
    ['forwarder', 'receivers say that it forwards', { ...none, forwarded: 60, provedOther: 100 }],
    ['aligned', 'its mail passes by a key that is not ours', {}],
    ['misaligned', 'it proves another domain', { ...none, provedOther: 90, proven: ['crm.test'] }],
    ['unknown', 'it proves nothing', none],
    ['unknown', 'most of it proves nothing', { ...none, provedOther: 30 }],
  ])('is %s where %s', (kind, _, fields) => {
    expect(senderOf(counts(fields), new Set(['192.0.2.99'])).kind).toBe(kind);
  });
});

describe('the advice', () => {
  const ours = { source: '192.0.2.99', sentByUs: 100 };
  const advise = (sources: readonly Partial<SourceCounts>[], fields: { days?: number; reporters?: number } = {}) => {
    const senders = sources.map((source) => senderOf(counts(source), new Set(['192.0.2.99'])));
    const messages = senders.reduce((sum, sender) => sum + sender.messages, 0);
    return policyAdvice({ senders, messages, days: 20, reporters: 2, ...fields });
  };

  it('is that both are safe where all known senders pass', () => {
    expect(advise([ours, {}])).toEqual([
      {
        policy: 'quarantine',
        safe: true,
        reason:
          'In 20 days with 200 messages, the mail of this service and of other known senders passed. No message of an unknown sender failed.',
      },
      expect.objectContaining({ policy: 'reject', safe: true }),
    ]);
  });

  it('is that forged mail is no obstacle, and what becomes of it', () => {
    const [quarantine, reject] = advise([ours, { ...none, messages: 5_000 }]);
    expect(quarantine).toMatchObject({
      safe: true,
      reason: expect.stringContaining('5000 messages of unknown senders would go to spam'),
    });
    expect(reject).toMatchObject({ safe: true, reason: expect.stringContaining('would be refused') });
  });

  it.each<[string, readonly Partial<SourceCounts>[], { days?: number; reporters?: number }, RegExp]>([
    ['there are no reports', [], { days: 0, reporters: 0 }, /no reports yet/],
    ['there are few days', [ours], { days: 1 }, /reports of 1 day only/],
    ['there are few messages', [{ ...ours, messages: 7, aligned: 7 }], {}, /count 7 messages only/],
    [
      'our own mail fails',
      [{ ...ours, aligned: 90 }],
      {},
      /10 messages of 100 that this service sent failed DMARC \(192.0.2.99/,
    ],
    [
      'a service is not set up',
      [ours, { ...none, source: '198.51.100.1', provedOther: 100, proven: ['crm.test'] }],
      {},
      /198.51.100.1 as crm.test/,
    ],
  ])('is to wait where %s', (_, sources, fields, reason) => {
    for (const { safe, reason: given } of advise(sources, fields)) {
      expect(safe).toBe(false);
      expect(given).toMatch(reason);
    }
  });

  it('is to wait longer for reject', () => {
    expect(advise([ours], { days: 10 }).map(({ safe }) => safe)).toEqual([true, false]);
  });

  it('is not changed by a single day of a service, or by a trace of it', () => {
    const service = { ...none, provedOther: 100, proven: ['crm.test'] };
    expect(advise([ours, { ...service, days: 1 }])[0]?.safe).toBe(true);
    expect(advise([{ ...ours, messages: 90_000, aligned: 90_000 }, service])[0]?.safe).toBe(true);
  });
});

it('a period ends with today', () => {
  expect(lastDays(30, new Date('2026-11-30T23:00:00Z'))).toEqual({ from: '2026-11-01', to: '2026-12-01' });
  expect([parseDays(undefined), parseDays('90')]).toEqual([30, 90]);
  for (const days of ['0', '91', '-1', 'x', '1e1', ['1']]) expect(() => parseDays(days)).toThrow('`days`');
});

it('each result of a TLS report has advice', () => {
  expect(tlsAdvice('certificate-expired')).toContain('renew');
  expect(tlsAdvice('constructor')).toContain('no known reason');
});
