import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { maxUnprovenPerDay } from '../../libs/reports/src/infrastructure/persistence/postgres-report-log.js';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { AuthorSignature } from '../support/servers/author-signature.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import {
  dmarcXml,
  failureMessage,
  gzipped,
  reporterShapes,
  reportMessage,
  SampleRecord,
  tlsJson,
  tlsMessage,
} from '../support/builders/report-samples.js';

const reporter = new AuthorSignature('mailbox.test');
const dayMs = 86_400_000;
const day = (ago: number): Date => new Date(Math.floor(Date.now() / dayMs) * dayMs - ago * dayMs);
let inbound: InboundProgram;
let domainId: string;

beforeAll(async () => {
  inbound = await InboundProgram.start();
  domainId = (await inbound.resend.domains.list()).data?.data.find(({ name }) => name === 'acme.test')?.id ?? '';
  inbound.dns.set('s1._domainkey.mailbox.test', reporter.record);
  inbound.dns.set('mail.service.test', { a: ['192.0.2.99'] });
});
afterAll(() => inbound.stop());

/** What the listener replies to a report. */
async function report(message: Buffer, to = 'dmarc-reports@send.acme.test', isSigned = true): Promise<string> {
  return inbound.bring(isSigned ? await reporter.sign(message) : message, { to, from: 'noreply@mailbox.test' });
}

const get = async (path: string) => (await inbound.get(`/domains/${domainId}${path}`)).body as Record<string, never>;
const sources = async (query = '') =>
  (await get(`/dmarc?days=30${query}`)).data as unknown as Record<string, unknown>[];

describe('aggregate reports', () => {
  it('of every shape that large receivers send are counted once', async () => {
    for (const [shape, message] of reporterShapes(day(1))) {
      const named = Buffer.from(message);
      expect([shape, await report(named)]).toEqual([shape, expect.stringMatching(/^250/)]);
    }
    expect(await get('/dmarc')).toMatchObject({
      totals: { messages: 3, aligned: 3, sources: 1, days: 1 },
      reporters: [{ name: 'mailbox.test', messages: 3 }],
      policy: { p: 'none', pct: '100' },
    });
    expect(await sources()).toMatchObject([
      { id: '192.0.2.1', kind: 'ours', ours: true, messages: 3, aligned_by_dkim: 3 },
    ]);
  });

  it('say who sends as the domain, and what is safe', async () => {
    const ours: SampleRecord = {
      source: '192.0.2.99',
      count: 100,
      dkim: 'pass',
      spf: 'pass',
      signature: ['acme.test', 'postrider', 'pass'],
      envelope: ['send.acme.test', 'pass'],
    };
    const forwarder: SampleRecord = {
      source: '198.51.100.7',
      count: 5,
      dkim: 'pass',
      signature: ['acme.test', 'postrider', 'pass'],
      envelope: ['list.test', 'pass'],
    };
    const service: SampleRecord = { source: '198.51.100.8', count: 20, signature: ['crm.test', 'k1', 'pass'] };
    const forger: SampleRecord = { source: '203.0.113.9', count: 40, envelope: ['acme.test', 'fail'] };
    for (let ago = 1; ago <= 13; ago++) {
      const records = ago <= 9 ? [ours, forwarder, service, forger] : [ours];
      expect(await report(reportMessage(gzipped(dmarcXml({ id: `d${ago}`, begin: day(ago), records }))))).toMatch(
        /^250/,
      );
    }
    const kinds = Object.fromEntries((await sources()).map(({ id, kind }) => [id, kind]));
    expect(kinds).toMatchObject({
      '192.0.2.99': 'ours',
      '198.51.100.7': 'forwarder',
      '198.51.100.8': 'misaligned',
      '203.0.113.9': 'unknown',
    });
    const { advice } = await get('/dmarc');
    expect(advice).toEqual([
      { policy: 'quarantine', safe: false, reason: expect.stringContaining('198.51.100.8 as crm.test') },
      { policy: 'reject', safe: false, reason: expect.stringContaining('days only') },
    ]);
    expect((await get('/dmarc?days=7')).totals).toMatchObject({ days: 6 });
  });

  it('are paged by the number of messages, in both directions', async () => {
    const all = (await sources()).map(({ id }) => id);
    const page = async (query: string) => (await sources(query)).map(({ id }) => id);
    expect(await page('&limit=2')).toEqual(all.slice(0, 2));
    expect(await page(`&limit=2&after=${String(all[1])}`)).toEqual(all.slice(2, 4));
    expect(await page(`&limit=2&before=${String(all[2])}`)).toEqual(all.slice(0, 2));
    expect((await inbound.get(`/domains/${domainId}/dmarc?after=x`)).status).toBe(422);
  });

  it('are in no inbox, and of no other team', async () => {
    expect((await inbound.get('/emails/receiving')).body.data).toEqual([]);
    const { apiKey } = await addSecondTeam(inbound.program.postrider.app);
    for (const path of ['dmarc', 'tls-reports', 'reports']) {
      const response = await inbound.program.request(`/domains/${domainId}/${path}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect(response.status).toBe(404);
    }
  });
});

describe('what is not to be believed', () => {
  const one = (id: string, fields = {}) =>
    reportMessage(gzipped(dmarcXml({ id, begin: day(1), records: [{ source: '203.0.113.77', count: 9 }], ...fields })));
  const isCounted = async () => (await sources()).some(({ id }) => id === '203.0.113.77');

  it('a report whose sender proves nothing is listed and not counted', async () => {
    expect(await report(one('forged'), undefined, false)).toMatch(/^250/);
    const [listed] = (await get('/reports?limit=1')).data as unknown as Record<string, unknown>[];
    expect(listed).toMatchObject({ report_id: 'forged', reporter: null, counted: false, total: 9 });
    expect(await isCounted()).toBe(false);
  });

  it.each([
    ['another domain', () => one('other', { domain: 'bank.test' }), /^550 5\.6\.0 .*another domain/],
    ['the distant past', () => one('past', { begin: day(300) }), /^550 5\.6\.0 .*too long ago/],
    ['nothing', () => Buffer.from('From: a@mailbox.test\r\nSubject: Hi\r\n\r\nHello\r\n'), /^550 5\.6\.0 .*no report/],
    [
      'a bomb',
      () => reportMessage({ type: 'application/gzip', bytes: gzipSync(Buffer.alloc(64 * 1024 * 1024)) }),
      /^550 5\.6\.0 .*too large/,
    ],
  ])('a report about %s is refused', async (_, message, reply) => {
    expect(await report(message())).toMatch(reply);
    expect(await isCounted()).toBe(false);
  });

  it('addresses of domains that are not here take none', async () => {
    expect(await report(one('x'), 'dmarc-reports@send.bank.test')).toMatch(/^550 5\.7\.1/);
    expect(await report(one('x'), 'dmarc-reports@other.acme.test')).toMatch(/^550 5\.7\.1/);
  });

  it('reports beyond the number of a day are put off', async () => {
    const database = inbound.program.postrider.app.get(Database, { strict: false });
    await database.execute({
      text: `INSERT INTO domain_reports (id, team_id, domain_id, kind, digest, organization, report_id, begins_at, ends_at, received_at, total, unusable)
             SELECT overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, team_id, domain_id, kind, decode(md5(n::text), 'hex'), '', '', begins_at, ends_at, received_at, 0, 0
             FROM domain_reports, generate_series(1, ${maxUnprovenPerDay}) AS n WHERE report_id = 'forged'`,
    });
    expect(await report(one('more'), undefined, false)).toMatch(/^451 4\.7\.1 .*Too many reports/);
    expect(await report(one('proven'))).toMatch(/^250/);
  });
});

it('TLS reports say what went wrong, and what to do', async () => {
  const failures = [
    { result: 'certificate-expired', count: 2 },
    { result: 'starttls-not-supported', count: 1 },
  ];
  for (const message of [tlsJson({ begin: day(1), failures }), tlsJson({ begin: day(2), id: 't2', succeeded: 90 })]) {
    expect(await report(tlsMessage(message), 'tls-reports@send.acme.test')).toMatch(/^250/);
  }
  expect(await get('/tls-reports')).toMatchObject({
    object: 'domain_tls_reports',
    record: { name: '_smtp._tls.acme.test', value: 'v=TLSRPTv1; rua=mailto:tls-reports@send.acme.test;' },
    totals: { succeeded: 100, failed: 3, reporters: 1 },
    data: [
      { result: 'success', sessions: 100, mx: 'mx.acme.test', reporters: 1 },
      { result: 'certificate-expired', sessions: 2, advice: 'The certificate had expired: renew it.' },
      { result: 'starttls-not-supported', sessions: 1 },
    ],
  });
});

it('failure reports are listed without what names a person', async () => {
  expect(await report(failureMessage(), 'dmarc-failures@send.acme.test')).toMatch(/^250/);
  const { data } = await get('/reports?kind=failure');
  expect(data).toMatchObject([
    { kind: 'failure', failure: { source: '203.0.113.5', failure: 'dmarc', outcome: 'reject' } },
  ]);
  expect(JSON.stringify(data)).not.toContain('private');
});
