import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ReportKind } from '#domains';
import {
  dmarcXml,
  failureMessage,
  gzipped,
  recordXml,
  reporterShapes,
  reportMessage,
  tlsJson,
  tlsMessage,
} from '../../../../../test/support/builders/report-samples.js';
import { growthOfTime } from '../../../../../test/support/runner/growth-of-time.js';
import { zipOf } from '../../../../../test/support/builders/zip.js';
import { DmarcReport, FailureReport, TlsReport } from '../../domain/report.js';
import { parse } from './report.parser.js';

const receivedAt = new Date('2026-11-22T06:00:00Z');
const begin = new Date('2026-11-21T00:00:00Z');

async function read<Report>(message: Uint8Array, kind: ReportKind = 'dmarc'): Promise<Report> {
  const result = await parse(message, { kind, receivedAt });
  if ('unreadable' in result) throw new Error(result.unreadable);
  return result.report as Report;
}

async function reasonFor(message: Uint8Array, kind: ReportKind = 'dmarc'): Promise<string> {
  const result = await parse(message, { kind, receivedAt });
  return 'unreadable' in result ? result.unreadable : 'was read';
}

describe('aggregate reports', () => {
  it.each(reporterShapes(begin))('are read as %s', async (_, message) => {
    const { rows, ...report } = await read<DmarcReport>(message);
    expect(report).toMatchObject({ organization: 'Mailbox', reportId: '1', policyDomain: 'acme.test', unusable: 0 });
    expect(report.policy).toEqual({ p: 'none', sp: 'none', pct: '100', adkim: 'r', aspf: 'r' });
    expect([report.beginsAt, report.endsAt]).toEqual([begin, new Date('2026-11-21T23:59:59Z')]);
    expect(rows).toEqual([
      {
        source: '192.0.2.1',
        headerFrom: 'acme.test',
        disposition: 'none',
        dkimAligned: true,
        spfAligned: true,
        dkim: { domain: 'acme.test', result: 'pass' },
        dkimSelector: 'postrider',
        spf: { domain: 'send.acme.test', result: 'pass' },
        override: null,
        messages: 3,
      },
    ]);
  });

  it.each([
    ['20230601', '20230601'],
    ['K2.Mail', 'k2.mail'],
    ['<b>', null],
  ])('the selector %s is %s', async (selector, expected) => {
    const signature = ['acme.test', selector.replace('<', '&lt;'), 'pass'] as const;
    const { rows } = await read<DmarcReport>(
      reportMessage(gzipped(dmarcXml({ begin, records: [{ source: '192.0.2.1', count: 1, signature }] }))),
    );
    expect(rows).toMatchObject([{ dkimSelector: expected }]);
  });

  it('equal rows are added up, and records that make no sense are counted as unusable', async () => {
    const good = { source: '2001:db8::1', count: 2, reason: 'forwarded', disposition: 'quarantine' };
    const records = [
      good,
      { ...good, count: 5 },
      { source: 'not an address', count: 1 },
      { source: '192.0.2.1', count: -4 },
    ];
    const report = await read<DmarcReport>(reportMessage(gzipped(dmarcXml({ begin, records }))));
    expect(report.unusable).toBe(2);
    expect(report.rows).toMatchObject([
      { source: '2001:db8::1', messages: 7, override: 'forwarded', disposition: 'quarantine', dkim: null },
    ]);
  });

  it('text that is not UTF-8 is read as Windows-1252', async () => {
    const xml = dmarcXml({
      begin,
      records: [{ source: '192.0.2.1', count: 1 }],
      organization: 'M\xfcller\x92s M\xe4il \x80',
    });
    const bytes = Buffer.from(xml, 'latin1');
    const { organization } = await read<DmarcReport>(reportMessage({ type: 'text/xml', name: 'a.xml', bytes }));
    expect(organization).toBe('Müller’s Mäil €');
  });

  it('a report with very many sources keeps the first, and adds up the rest', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => ({
      source: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      count: 1,
    }));
    const { rows } = await read<DmarcReport>(reportMessage(gzipped(dmarcXml({ begin, records: many }))));
    expect(rows).toHaveLength(2_001);
    expect(rows.at(-1)).toMatchObject({ source: null, messages: 28_000 });
  });
});

describe('TLS reports', () => {
  it('are read with successes, failures and what is not explained', async () => {
    const failures = [{ result: 'certificate-expired', count: 2 }];
    const json = tlsJson({ begin, failures }).replace(
      '"total-failure-session-count":2',
      '"total-failure-session-count":5',
    );
    const { rows, reportId } = await read<TlsReport>(tlsMessage(json), 'tls');
    const base = { policyType: 'sts', policyDomain: 'acme.test', mx: 'mx.acme.test', reason: null };
    expect(reportId).toBe('t1');
    expect(rows).toEqual([
      { ...base, result: 'success', sessions: 10 },
      { ...base, result: 'certificate-expired', sessions: 2 },
      { ...base, result: 'unspecified', sessions: 3 },
    ]);
  });

  it('are read without compression, with a single value where a list belongs', async () => {
    const json = tlsJson({ begin }).replace('["mx.acme.test"]', '"mx.acme.test"').replace('"sts"', '"no-policy-found"');
    const message = reportMessage({ type: 'application/tlsrpt+json', bytes: Buffer.from(json) });
    expect((await read<TlsReport>(message, 'tls')).rows).toMatchObject([
      { policyType: 'no-policy-found', sessions: 10 },
    ]);
  });
});

it('a failure report is reduced to what names no person', async () => {
  const report = await read<FailureReport>(failureMessage(), 'failure');
  expect(report).toMatchObject({ headerFrom: 'acme.test', source: '203.0.113.5', failure: 'dmarc', outcome: 'reject' });
  expect(JSON.stringify(report)).not.toMatch(/private|order|Secret/i);
});

describe('what is built to do harm', () => {
  const bomb = Buffer.alloc(64 * 1024 * 1024);
  const doctype = (declaration: string): string =>
    dmarcXml({ begin, records: [] }).replace('<feedback>', `<!DOCTYPE f [${declaration}]><feedback>`);
  const xml = (text: string): Buffer => reportMessage(gzipped(text));
  const zip = (bytes: Uint8Array): Buffer => reportMessage({ type: 'application/zip', bytes });

  it.each<readonly [string, () => Buffer, RegExp, ReportKind?]>([
    ['a gzip bomb', () => reportMessage({ type: 'application/gzip', bytes: gzipSync(bomb) }), /too large/],
    ['a zip bomb', () => zip(zipOf([['a.xml', bomb]])), /too large/],
    ['a zip bomb that lies', () => zip(zipOf([['a.xml', bomb]], { uncompressedSize: 100 })), /damaged|too large/],
    [
      'an archive of empty files',
      () => zip(zipOf(Array.from({ length: 99 }, (_, n) => [`${n}`, Buffer.alloc(0)]))),
      /too many files/,
    ],
    ['an archive in an archive', () => zip(zipOf([['a.zip', zipOf([['b', bomb]])]])), /not well-formed/],
    ['a damaged archive', () => zip(Buffer.from('PK\x03\x04damaged')), /damaged/],
    [
      'damaged gzip',
      () => reportMessage({ type: 'application/gzip', bytes: Buffer.from('1f8b0800ff', 'hex') }),
      /damaged/,
    ],
    ['entities that grow', () => xml(doctype('<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">')), /document type/],
    ['an entity from a file', () => xml(doctype('<!ENTITY x SYSTEM "file:///etc/passwd">')), /document type/],
    [
      'an entity that is not declared',
      () => xml(dmarcXml({ begin, records: [], organization: '&x;' })),
      /not well-formed/,
    ],
    ['depth', () => xml('<feedback>'.repeat(100_000)), /too many elements/],
    ['breadth', () => xml(`<feedback>${'<a/>'.repeat(100_000)}</feedback>`), /too many elements/],
    [
      'breadth in a record',
      () => xml(`<feedback><record>${'<a/>'.repeat(100_000)}</record></feedback>`),
      /too many elements/,
    ],
    ['XML that is cut off', () => xml(dmarcXml({ begin, records: [] }).slice(0, 300)), /not well-formed/],
    ['a message without a report', () => Buffer.from('Subject: Hello\r\n\r\nWords\r\n'), /no report/],
    ['another kind of XML', () => xml('<?xml version="1.0"?><html/>'), /not an aggregate report/],
    ['no id', () => xml(dmarcXml({ begin, records: [], id: ' ' })), /lacks its id/],
    ['JSON that is none', () => tlsMessage('{"a":'), /not valid JSON/, 'tls'],
    ['JSON of great depth', () => tlsMessage(`{"a":${'[{"a":'.repeat(100_000)}`), /not valid JSON/, 'tls'],
    [
      'too many policies',
      () => tlsMessage(tlsJson({ begin }).replace(/"policies":.*/, `"policies":[${'{},'.repeat(2_000)}{}]}`)),
      /too many policies/,
      'tls',
    ],
    ['a failure report without fields', () => Buffer.from('Subject: a\r\n\r\nb'), /no failure report/, 'failure'],
  ])('is not read: %s', async (_, message, reason, kind = 'dmarc') => {
    expect(await reasonFor(message(), kind)).toMatch(reason);
  });

  it('takes linear time for many records and long texts', async () => {
    const one = recordXml({ source: '192.0.2.1', count: 1 }, 'acme.test');
    const readMany = (records: number): Promise<unknown> => {
      const body = dmarcXml({ begin, records: [] }).replace('</feedback>', `${one.repeat(records)}</feedback>`);
      const bytes = Buffer.from(body.replace('says', 'x'.repeat(100_000)));
      return read(reportMessage({ type: 'text/xml', bytes }));
    };
    expect(await growthOfTime(readMany, 2_000)).toBeLessThan(10);
  });
});
